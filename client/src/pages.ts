/**
 * A list that has pages: `await` gives the one that was asked for, `for await` every element from there on, asking for
 * the next page when it is needed.
 */
export class Pages<Item, Page extends { pages: number; data: Item[] }>
  implements PromiseLike<Page>, AsyncIterable<Item>
{
  readonly #first: number
  readonly #load: (page: number) => Promise<Page>

  constructor(first: number, load: (page: number) => Promise<Page>) {
    this.#first = first
    this.#load = load
  }

  // oxlint-disable-next-line unicorn/no-thenable -- so that a page can be awaited.
  then<Kept = Page, Refused = never>(
    kept?: ((page: Page) => Kept | PromiseLike<Kept>) | null,
    refused?: ((reason: unknown) => Refused | PromiseLike<Refused>) | null,
  ): Promise<Kept | Refused> {
    return this.#load(this.#first).then(kept, refused)
  }

  catch<Refused>(refused: (reason: unknown) => Refused | PromiseLike<Refused>): Promise<Page | Refused> {
    return this.then(undefined, refused)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for (let number = this.#first; ; number += 1) {
      const page = await this.#load(number)
      yield* page.data
      if (number >= page.pages) return
    }
  }
}
