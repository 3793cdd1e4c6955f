import { floods } from './abuse-floods.ts'
import { forms } from './abuse-forms.ts'
import { forgeries } from './abuse-forgeries.ts'
import { slowness } from './abuse-slowness.ts'

export const abuses = [...forgeries, ...floods, ...forms, ...slowness]
