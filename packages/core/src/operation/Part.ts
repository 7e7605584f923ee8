/**
 * Long responses in parts, so that a complete response is never held in memory, and other requests can run between two
 * parts.
 */
import * as Effect from "effect/Effect"

/**
 * A field of a response: its value, or more rows of its list. The rows of a list must be consecutive. A list without
 * any part is missing from the response, so an empty list needs a part without rows.
 */
export type Part =
  | { readonly name: string; readonly rows: ReadonlyArray<unknown> }
  | { readonly name: string; readonly value: unknown }

/** A part of a response with this shape. */
export type PartOf<Output> = {
  readonly [Name in keyof Output & string]-?: Output[Name] extends ReadonlyArray<infer Row>
    ? { readonly name: Name; readonly rows: ReadonlyArray<Row> }
    : { readonly name: Name; readonly value: Exclude<Output[Name], undefined> }
}[keyof Output & string]

/** Consumes a part. Completes when the next part can be sent. */
export type Tell<P extends Part = Part> = (part: P) => Effect.Effect<void>

/** Collects the parts into a complete response. */
export const collectParts = <E, R>(
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
