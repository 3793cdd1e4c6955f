import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, Nothing, page, StaffPageQuery } from '../envelope.ts'
import { reportTypes, StaffReport } from '../shapes/staff.ts'
import { EmailAddress, nullable, OneOf, optional, Text, Uuid } from '../values.ts'

export const ReportForm = Type.Object(
  {
    type: OneOf(reportTypes, 'What it is about.'),
    reason: Text({ minLength: 10, maxLength: 2048 }, 'What happened, 10 to 2,048 characters.'),
    productId: optional(nullable(Uuid('The product that it is about; null for the store.')), null),
    orderId: optional(nullable(Uuid('The own order that it is about; its key must be there too.')), null),
    orderKey: optional(nullable(Type.String({ maxLength: 64, description: "That order's key." })), null),
    emailAddress: optional(nullable(EmailAddress('Where the staff may ask back. The seller never sees it.')), null),
  },
  { title: 'ReportForm', description: "What somebody tells the platform's staff about a store." },
)
export type ReportForm = Type.Static<typeof ReportForm>

export const reportStore = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/reports',
  access: 'public',
  beside: true,
  summary: 'Report a store or a product to the staff',
  description: 'Five a day from one place about one store: then 429.',
  body: ReportForm,
  reply: envelope(Nothing),
})

export const listReportsForStaff = endpoint({
  method: 'GET',
  path: '/staff/reports',
  access: 'staff',
  beside: true,
  summary: 'List the reports about all stores',
  description: 'Newest first.',
  query: Type.Object({
    ...StaffPageQuery.properties,
    isResolved: optional(Type.Boolean({ description: 'The closed reports instead of those that wait.' }), false),
  }),
  reply: page(StaffReport),
})

export const ResolutionForm = Type.Object(
  { note: optional(nullable(Text({ maxLength: 2048 }, 'What was found and done, for the staff.')), null) },
  { title: 'ResolutionForm', description: 'What came of a report.' },
)
export type ResolutionForm = Type.Static<typeof ResolutionForm>

export const resolveReport = endpoint({
  method: 'PUT',
  path: '/staff/reports/{reportId}',
  access: 'staff',
  beside: true,
  summary: 'Close a report',
  description: 'Once: a report that somebody closed is refused with 409.',
  body: ResolutionForm,
  reply: envelope(StaffReport),
})
