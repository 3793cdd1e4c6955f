import type { Generated, Selectable } from 'kysely'

export interface WebhookTables {
  webhooks: WebhooksTable
  webhookLanes: WebhookLanesTable
  webhookDeliveries: WebhookDeliveriesTable
  webhookAttempts: WebhookAttemptsTable
  webhookHosts: WebhookHostsTable
}

export type WebhookRow = Selectable<WebhooksTable>
export type DeliveryRow = Selectable<WebhookDeliveriesTable>
export type AttemptRow = Selectable<WebhookAttemptsTable>
export type DeliveryKind = 'event' | 'chat' | 'dynamic'
export type DeliveryStatus = 'waiting' | 'sent' | 'failed' | 'stopped'

interface WebhooksTable {
  storeId: string
  id: string
  dateCreated: Generated<Date>
  url: string
  events: Generated<string[]>
  description: string | null
  isEnabled: Generated<boolean>
  disabledReason: string | null
}

interface WebhookLanesTable {
  storeId: string
  name: string
  worker: string | null
  workedUntil: Date | null
  isFailing: Generated<boolean>
  goneUrl: string | null
}

interface WebhookDeliveriesTable {
  storeId: string
  id: string
  lane: string
  dateCreated: Generated<Date>
  kind: DeliveryKind
  type: string
  messageId: string
  body: string | null
  subjectId: string | null
  status: Generated<DeliveryStatus>
  tries: Generated<number>
  nextTryAt: Generated<Date>
}

interface WebhookAttemptsTable {
  storeId: string
  id: string
  dateCreated: Generated<Date>
  deliveryId: string
  attempt: number
  url: string
  isSuccess: boolean
  status: number | null
  durationMilliseconds: number
  answer: string | null
  failure: string | null
}

interface WebhookHostsTable {
  host: string
  answeredAt: Date | null
  nextTurnAt: Generated<Date>
}
