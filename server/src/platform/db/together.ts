import { type Expression, sql } from 'kysely'
import { askBare } from './bare.ts'
import type { Db } from './database.ts'
import { madeOnce, Place } from './statement.ts'

/** While so many statements are under way, further questions wait for the next, and are asked together by it. */
const atOnceMax = 2
const questionsMax = 64

type Row = unknown[]

interface Question<Given> extends PromiseWithResolvers<Row | undefined> {
  given: Given
}

export type SqlType = 'uuid' | 'bigint'

/**
 * One row about each of many things of a store, its columns in their order, asked by as few statements as possible:
 * none is sent before its questions were asked, so each is told what was true after that. Whoever asks with the same
 * object shares the question. The builder gets what differs between questions as columns, by `differing`.
 */
export function askedTogether<Given extends { storeId: string | null }>(
  differing: Record<string, SqlType>,
  build: (db: Db, given: Given) => Expression<unknown>,
): (db: Db, given: Given) => Promise<Row | undefined> {
  const askAll = statementFor(differing, build)
  const queues = new WeakMap<Db, Map<string | null, Queue<Given>>>()
  return (db, given) => {
    const queuesOfDb = queues.get(db) ?? new Map<string | null, Queue<Given>>()
    queues.set(db, queuesOfDb)
    const { storeId } = given
    let queue = queuesOfDb.get(storeId)
    if (!queue) {
      queue = new Queue(
        (asked) => askAll(db, asked),
        () => queuesOfDb.delete(storeId),
      )
      queuesOfDb.set(storeId, queue)
    }
    return queue.ask(given)
  }
}

/** Everything about one store: a statement never reads from several. */
class Queue<Given extends object> {
  readonly #waiting = new Map<Given, Question<Given>>()
  readonly #askAll: (asked: Given[]) => Promise<Row[]>
  readonly #onEmpty: () => void
  #underWay = 0
  #isDue = false

  constructor(askAll: (asked: Given[]) => Promise<Row[]>, onEmpty: () => void) {
    this.#askAll = askAll
    this.#onEmpty = onEmpty
  }

  ask(given: Given): Promise<Row | undefined> {
    const known = this.#waiting.get(given)
    if (known) return known.promise
    const question = { given, ...Promise.withResolvers<Row | undefined>() }
    this.#waiting.set(given, question)
    this.#beginSoon()
    return question.promise
  }

  /** After all that has come with the same turn of the loop. */
  #beginSoon(): void {
    if (this.#isDue || this.#underWay >= atOnceMax) return
    this.#isDue = true
    setImmediate(() => {
      this.#isDue = false
      void this.#begin()
    })
  }

  async #begin(): Promise<void> {
    const questions = [...this.#waiting.values()].slice(0, questionsMax)
    for (const { given } of questions) this.#waiting.delete(given)
    this.#underWay += 1
    try {
      const rows = await this.#askAll(questions.map(({ given }) => given))
      for (const [number, ...row] of rows) questions[Number(number) - 1]?.resolve(row)
      // Of what is not there is no row.
      for (const { resolve } of questions) resolve(undefined)
    } catch (error) {
      for (const { reject } of questions) reject(error)
    }
    this.#underWay -= 1
    if (this.#waiting.size > 0) this.#beginSoon()
    else if (this.#underWay === 0) this.#onEmpty()
  }
}

function statementFor<Given extends object>(
  differing: Record<string, SqlType>,
  build: (db: Db, given: Given) => Expression<unknown>,
): (db: Db, asked: Given[]) => Promise<Row[]> {
  const names = Object.keys(differing)
  const columns = new Proxy({}, { get: (_, name) => columnOrPlace(String(name)) }) as Given
  const lists = Object.entries(differing).map(([name, type]) => sql`${new Place(name)}::${sql.raw(type)}[]`)
  const filled = madeOnce((db: Db, _given: object) => {
    const asked = sql`unnest(${sql.join(lists)}) with ordinality as asked(${sql.join(names.map((name) => sql.ref(name)))}, number)`
    const text = sql`select asked.number::int, told.* from ${asked} join lateral ${build(db, columns)} told on true`
    return { compile: () => text.compile(db) }
  })
  return (db, asked) => {
    const given = asked.map((each) => each as Record<string, unknown>)
    const lists = names.map((name) => [name, given.map((each) => each[name])])
    return askBare(db, filled(db, { ...given[0], ...Object.fromEntries(lists) }))
  }

  function columnOrPlace(name: string): unknown {
    return name in differing ? sql.ref(`asked.${name}`) : new Place(name)
  }
}
