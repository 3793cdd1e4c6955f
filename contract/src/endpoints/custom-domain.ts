import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, Nothing } from '../envelope.ts'
import { CustomDomainRecord, customDomainStatuses } from '../shapes/custom-domain.ts'
import { list, OneOf, Text } from '../values.ts'

export const CustomDomainForm = Type.Object(
  {
    domain: Text({ minLength: 1, maxLength: 253 }, 'A fully qualified domain name, without protocol.'),
  },
  {
    title: 'CustomDomainForm',
    description: 'The domain that the store is to have.',
  },
)
export type CustomDomainForm = Type.Static<typeof CustomDomainForm>

export const getCustomDomainStatus = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/custom-domain',
  access: 'ViewStores',
  summary: "Get the status of a store's custom domain",
  reply: envelope(
    OneOf(
      customDomainStatuses,
      '`none`, `pending` (the records are not seen yet), `active`, or `misconfigured` (they point elsewhere).',
    ),
  ),
})

export const setCustomDomain = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/custom-domain',
  access: 'UpdateStores',
  summary: "Set a store's custom domain",
  description: 'Answers the DNS record to set. The domain works once the record and the proof of ownership are seen.',
  body: CustomDomainForm,
  reply: envelope(CustomDomainRecord),
})

export const removeCustomDomain = endpoint({
  method: 'DELETE',
  path: '/stores/{storeId}/custom-domain',
  access: 'UpdateStores',
  summary: "Remove a store's custom domain",
  description: 'Deletes and deactivates the domain. Nothing happens when there is none.',
  reply: envelope(Nothing),
})

export const listCustomDomainRecords = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/custom-domain/records',
  access: 'ViewStores',
  beside: true,
  summary: 'List every DNS record that the custom domain needs',
  description: 'Where the domain must point to, and the proof of ownership.',
  reply: envelope(list(CustomDomainRecord, 'The records; empty without a custom domain.')),
})

export const checkTlsDomain = endpoint({
  method: 'GET',
  path: '/internal/tls',
  access: 'public',
  beside: true,
  summary: 'Whether a certificate may be made for a domain',
  description: 'For a TLS proxy, before it makes one: 200 for an active custom domain, otherwise 404.',
  query: Type.Object({ domain: Text({ minLength: 1, maxLength: 1024 }, 'The domain.') }),
  reply: 'nothing',
})
