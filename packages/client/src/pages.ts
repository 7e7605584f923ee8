import type { Route } from "./Route.ts"

type Input = Readonly<Record<string, unknown>>

/** Iterates over the items on all pages. Iterating again fetches the pages again. */
export const pages = (
  list: (input: Input) => Promise<unknown>,
  next: NonNullable<Route["next"]>,
  input: Input
): AsyncIterable<unknown> => ({
  async *[Symbol.asyncIterator]() {
    let following: Input | undefined = input
    while (following !== undefined) {
      const page: Page = Object(await list(following))
      yield* page.data
      following = nextOf[next](following, page)
    }
  }
})

interface Page {
  readonly data: ReadonlyArray<unknown>
  readonly next_cursor?: string
  readonly next_after?: number
  readonly next_before?: number
  readonly next_from?: string
}

const nextOf: Record<NonNullable<Route["next"]>, (input: Input, page: Page) => Input | undefined> = {
  next_cursor: (input, { next_cursor }) => next_cursor === undefined ? undefined : { ...input, cursor: next_cursor },
  next_from: (input, { next_from }) => next_from === undefined ? undefined : { ...input, from: next_from },
  /**
   * The event feed returns `next_after` even on the last page, so an empty page ends the iteration. In descending
   * order, the page with the first event has no `next_before`.
   */
  next_after: (input, { data, next_after, next_before }) => {
    const goesBack = input["order"] === "desc" || input["since"] !== undefined || input["before"] !== undefined
    if (goesBack) return next_before === undefined ? undefined : { ...input, before: next_before }
    return data.length === 0 ? undefined : { ...input, after: next_after }
  }
}
