import { Type } from 'typebox'
import { shape } from '../values.ts'

// The interface names no statuses; these are ours.
export const customDomainStatuses = ['none', 'pending', 'active', 'misconfigured'] as const
export type CustomDomainStatus = (typeof customDomainStatuses)[number]

export const CustomDomainRecord = shape('CustomDomainRecord', 'A DNS record that the seller must set.', {
  name: Type.String({ description: 'The name of the record.' }),
  value: Type.String({ description: 'What the record must say.' }),
  type: Type.String({ description: 'The type of the record, such as CNAME or TXT.' }),
})
export type CustomDomainRecord = Type.Static<typeof CustomDomainRecord>
