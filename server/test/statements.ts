import { Client } from 'pg'

/** What the database is asked while the work runs; of this process, whoever asks. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const asked: string[] = []
  const { query } = Client.prototype
  Client.prototype.query = function (this: Client, ...given: unknown[]) {
    const [first] = given
    asked.push(typeof first === 'string' ? first : String(Object(first)['text']))
    return Reflect.apply(query, this, given)
  } as typeof query
  try {
    await work()
  } finally {
    Client.prototype.query = query
  }
  return asked
}
