import { Type } from 'typebox'
import { every, job, type Performer, perform, type Schedule } from '#platform/jobs/job'
import { deleteOldGuesses } from './queries.ts'

const forgetGuesses = job('forget-coupon-guesses', Type.Object({}))

export const couponPerformers: Performer[] = [perform(forgetGuesses, (db) => deleteOldGuesses(db))]
export const couponSchedules: Schedule[] = [every(60 * 60, forgetGuesses, {})]
