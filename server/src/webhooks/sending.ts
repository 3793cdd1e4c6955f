import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import type { Platform } from '#platform/platform'
import { type Outcome, send } from './attempt.ts'
import { bodyOf, findTarget, insertAttempt } from './attempt-queries.ts'
import {
  claimLane,
  keepLane,
  type LaneKey,
  leaveLane,
  selectDue,
  selectNextDueSeconds,
  noteLane,
  settleDelivery,
  stopDeliveries,
} from './delivery-queries.ts'
import type { DynamicOutcomes, Recording } from './dynamic.ts'
import { markAnswered, takeTurn } from './host-queries.ts'
import { isForItems, leaseSeconds, type Places, workLaneLater } from './lane.ts'
import { disableWebhook } from './queries.ts'
import { nextTrySeconds } from './retry.ts'
import type { DeliveryRow } from './tables.ts'

/** To a receiver that answers; to any other one at a time. */
const atOnceMax = 10
/** So many later messages may have been sent before an earlier one is answered, or has failed. */
const aheadMax = atOnceMax - 1
/** With a lease at most so old a try is begun: it ends before that does. */
const freshMs = 5000
/** Nothing of one buyer waits for another's: a receiver that answers, but slowly, does not keep the next waiting. */
const forItemsMs = 60_000
const lookAgainMs = 200
const busySeconds = 1
const pauseSeconds = 2

export interface Means {
  readonly db: Db
  readonly platform: Platform
  readonly outcomes: DynamicOutcomes
  /** Hosts known to have answered 2xx: they need not be asked for a turn. */
  readonly answeredHosts: Set<string>
  readonly places: Places
  readonly stopping: AbortSignal
}

interface UnderWay {
  readonly work: Promise<void>
  readonly isInTurn: boolean
  /** Messages in turn that were begun since. */
  overtaking: number
}

interface Lane extends LaneKey {
  readonly worker: string
  /** By its subject. */
  readonly underWay: Map<string, UnderWay>
  isSteady: boolean
  isFailing: boolean
  isPaused: boolean
  error: unknown
}

/** Sends what is due to one receiver. A store whose receivers all hang keeps no buyer of another waiting. */
export async function workLane(means: Means, key: LaneKey): Promise<void> {
  if (!isForItems(key)) return work(means, key)
  const { db, places } = means
  const waitSeconds = places.take(key.storeId)
  if (waitSeconds > 0) return comeBack(db, key, waitSeconds)
  try {
    await work(means, key)
  } finally {
    places.leave(key.storeId)
  }
}

function comeBack(db: Db, key: LaneKey, afterSeconds: number): Promise<void> {
  return transact(db, (tx) => workLaneLater(tx, key, { isFailing: false, afterSeconds }))
}

/** Only one worker at a time, whichever process it is in. */
async function work(means: Means, key: LaneKey): Promise<void> {
  const { db } = means
  if ((await selectNextDueSeconds(db, key)) === undefined) return
  const worker = newId()
  const claimed = await claimLane(db, key, { worker, seconds: leaseSeconds })
  if (!claimed) return comeBack(db, key, busySeconds)
  const { isFailing } = claimed
  const begun = { underWay: new Map(), isSteady: false, isPaused: false, error: undefined }
  const lane: Lane = { ...key, ...begun, worker, isFailing }
  await sendDue(means, lane)
  await transact(db, async (tx) => {
    await leaveLane(tx, key, worker)
    const seconds = await selectNextDueSeconds(tx, key)
    if (seconds === undefined) return
    const afterSeconds = Math.max(seconds, lane.isPaused ? pauseSeconds : 0)
    await workLaneLater(tx, key, { isFailing: lane.isFailing, afterSeconds })
  })
  if (lane.error !== undefined) throw lane.error
}

async function sendDue(means: Means, lane: Lane): Promise<void> {
  const beganAt = performance.now()
  let freshUntil = beganAt + freshMs
  const isInTime = () => performance.now() < beganAt + (isForItems(lane) && lane.isSteady ? forItemsMs : freshMs)
  const mayGoOn = () => isInTime() && !means.stopping.aborted && !lane.isPaused && lane.error === undefined
  const isInOrder = () => [...lane.underWay.values()].every((each) => !each.isInTurn || each.overtaking < aheadMax)
  while (mayGoOn()) {
    if (performance.now() > freshUntil) {
      freshUntil = performance.now() + freshMs
      if (!(await keepLane(means.db, lane, { worker: lane.worker, seconds: leaseSeconds }))) break
    }
    const free = (lane.isSteady ? atOnceMax : 1) - lane.underWay.size
    const busySubjects = [...lane.underWay.keys()]
    const due = free > 0 && isInOrder() ? await selectDue(means.db, lane, { busySubjects, limit: free * 3 }) : []
    for (const delivery of due) {
      const isFree = lane.underWay.size < busySubjects.length + free
      if (isFree && isInOrder() && mayGoOn()) begin(means, lane, delivery)
    }
    if (lane.underWay.size === 0) return
    await Promise.race([...works(lane), sleep(lookAgainMs, undefined, { ref: false })])
  }
  await Promise.all(works(lane))
}

function works({ underWay }: Lane): Promise<void>[] {
  return [...underWay.values()].map(({ work }) => work)
}

/** Messages about one subject go one after the other. */
function begin(means: Means, lane: Lane, delivery: DeliveryRow): void {
  const subject = delivery.subjectId ?? delivery.id
  if (lane.underWay.has(subject)) return
  const work = attempt(means, lane, delivery)
    .catch((error: unknown) => {
      lane.error = error
    })
    .finally(() => lane.underWay.delete(subject))
  const isInTurn = delivery.tries === 0 && delivery.kind !== 'dynamic'
  if (isInTurn) for (const each of lane.underWay.values()) each.overtaking += 1
  lane.underWay.set(subject, { work, isInTurn, overtaking: 0 })
}

async function attempt(means: Means, lane: Lane, delivery: DeliveryRow): Promise<void> {
  const { db, platform } = means
  const target = await findTarget(db, lane)
  const body = await bodyOf(db, delivery)
  if (!target) return
  if (!target.targetUrl || body === undefined) {
    await transact(db, (tx) => stop(means, { tx, platform, store: target }, delivery))
    return
  }
  const host = hostOf(target.targetUrl)
  if (!(await mayCall(means, lane, host))) {
    lane.isPaused = true
    return
  }
  const outcome = await send(platform, delivery, { store: target, url: target.targetUrl, body })
  if (!outcome) {
    lane.isPaused = true
    return
  }
  const { isSuccess, status } = outcome.attempt
  if (status !== null && status < 300) await noteAnswer(means, host)
  lane.isSteady = isSuccess && means.answeredHosts.has(host)
  lane.isFailing = !isSuccess
  await transact(db, (tx) => record(means, { tx, platform, store: target }, { lane, delivery, outcome }))
}

async function mayCall({ db, answeredHosts }: Means, lane: Lane, host: string): Promise<boolean> {
  if (!answeredHosts.has(host)) {
    const turn = await takeTurn(db, host)
    if (!turn) return false
    if (turn.hasAnswered) answeredHosts.add(host)
  }
  lane.isSteady = answeredHosts.has(host) && !lane.isFailing
  return true
}

async function noteAnswer({ db, answeredHosts }: Means, host: string): Promise<void> {
  if (answeredHosts.has(host)) return
  await markAnswered(db, host)
  answeredHosts.add(host)
}

/** The address is gone: there is nobody to tell, but an order may wait for it. */
async function stop({ outcomes }: Means, recording: Recording, delivery: DeliveryRow): Promise<void> {
  await settleDelivery(recording.tx, delivery, { status: 'stopped', nextTrySeconds: 0, isCounted: false })
  if (delivery.kind !== 'dynamic') return
  await outcomes.failed(recording, lineOf(delivery), 'the product has no webhook address any more')
}

async function record(
  { outcomes }: Means,
  recording: Recording,
  { lane, delivery, outcome }: { lane: Lane; delivery: DeliveryRow; outcome: Outcome },
): Promise<void> {
  const { tx } = recording
  const { isSuccess, failure } = outcome.attempt
  const next = isSuccess || outcome.isGone ? undefined : nextTrySeconds(delivery.tries + 1, outcome.retryAfterSeconds)
  const status = isSuccess ? 'sent' : outcome.isGone ? 'stopped' : next === undefined ? 'failed' : 'waiting'
  await insertAttempt(tx, delivery, outcome.attempt)
  const isLatest = await settleDelivery(tx, delivery, { status, nextTrySeconds: next ?? 0, isCounted: true })
  const isDisabled = outcome.isGone && delivery.kind !== 'dynamic'
  await noteLane(tx, lane, { isFailing: !isSuccess, goneUrl: isDisabled ? outcome.attempt.url : null })
  if (isDisabled) {
    if (lane.lane.startsWith('webhook/')) await disableWebhook(tx, lane, 'The receiver answered 410 Gone')
    await stopDeliveries(tx, lane)
  }
  if (delivery.kind !== 'dynamic') return
  if (isSuccess) await outcomes.answered(recording, lineOf(delivery), outcome.items)
  else if (isLatest && status !== 'waiting')
    await outcomes.failed(recording, lineOf(delivery), failure ?? 'No answer came')
}

function lineOf({ storeId, lane, subjectId }: DeliveryRow) {
  return { storeId, orderId: subjectId ?? '', productId: lane.slice('dynamic/'.length) }
}

/** An address that is none is refused by the sender, with a reason. */
function hostOf(url: string): string {
  return URL.parse(url)?.host ?? ''
}
