import { Type } from 'typebox'
import { nullable, OneOf, shape, Timestamp, Uuid } from '../values.ts'

const act = {
  id: Uuid('Identifies the entry.'),
  dateCreated: Timestamp('When it was done.'),
  userId: nullable(Uuid('Who did it; null when the platform did it by itself.')),
  userName: Type.String({ description: "That person's name at the time." }),
  act: Type.String({ description: 'What was done, for programs: the name of the operation.' }),
  words: Type.String({ description: 'What was done, in words.' }),
  subjectId: nullable(Type.String({ description: 'The id of what it was done to; null when that is the store.' })),
  subjectName: nullable(Type.String({ description: 'Its name at the time; null when it has none.' })),
  ipAddress: nullable(Type.String({ description: 'The IP address it was done from; null when unknown.' })),
}

export const StoreAct = shape('StoreAct', "An entry of a store's audit log.", {
  ...act,
  number: Type.Integer({ minimum: 1, description: 'Counts the entries of the store from 1, without gaps.' }),
  role: OneOf(['owner', 'member', 'staff', 'platform'], 'As whom it was done.'),
  keyLabel: nullable(Type.String({ description: 'The label of the API key it was done with; null in the dashboard.' })),
})
export type StoreAct = Type.Static<typeof StoreAct>

export const StaffAct = shape('StaffAct', "An entry of the log of the platform's staff.", {
  ...act,
  storeId: nullable(Uuid('The store it concerns; null when it concerns none.')),
  reason: nullable(Type.String({ description: 'Why, in the words of who did it; null when unsaid.' })),
})
export type StaffAct = Type.Static<typeof StaffAct>
