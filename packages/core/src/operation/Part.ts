/**
 * Long answers, told in parts: nobody has to hold the whole of one in memory, and
 * others get their turn between two parts.
 */
import * as Effect from "effect/Effect"

/**
 * A field of an answer: its value, or some more rows of its list. Rows of one list
 * follow one another; a list that nothing was told of is not there, so an empty one
 * is told with no rows.
 */
export type Part =
  | { readonly name: string; readonly rows: ReadonlyArray<unknown> }
  | { readonly name: string; readonly value: unknown }

/** A part of an answer of this shape. */
export type PartOf<Output> = {
  readonly [Name in keyof Output & string]-?: Output[Name] extends ReadonlyArray<infer Row>
    ? { readonly name: Name; readonly rows: ReadonlyArray<Row> }
    : { readonly name: Name; readonly value: Exclude<Output[Name], undefined> }
}[keyof Output & string]

/** Takes a part, and ends when the next one may come. */
export type Tell<P extends Part = Part> = (part: P) => Effect.Effect<void>

/** The whole answer, for those who want it in one piece. */
export const collected = <E, R>(
  told: (tell: Tell) => Effect.Effect<unknown, E, R>
): Effect.Effect<Record<string, unknown>, E, R> =>
  Effect.suspend(() => {
    const whole: Record<string, unknown> = {}
    const lists = new Map<string, Array<unknown>>()
    const tell: Tell = (part) =>
      Effect.sync(() => {
        if ("value" in part) {
          whole[part.name] = part.value
          return
        }
        const known = lists.get(part.name)
        if (known !== undefined) {
          for (const row of part.rows) known.push(row)
          return
        }
        const list = [...part.rows]
        lists.set(part.name, list)
        whole[part.name] = list
      })
    return Effect.as(told(tell), whole)
  })
