import { floods } from './abuse-floods.ts'
import { forgeries } from './abuse-forgeries.ts'
import { slowness } from './abuse-slowness.ts'

export const abuses = [...forgeries, ...floods, ...slowness]
