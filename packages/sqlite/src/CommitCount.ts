/**
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type { SqliteConnection } from "./SqliteConnection.ts"

/**
 * What the reader sees of SQLite's count of commits by others. It only tells
 * whether there were any since it was last asked; without an answer it is not
 * known.
 *
 * @since 0.1.0
 * @category services
 */
export class CommitCount
  extends Context.Tag("@trailbook/sqlite/CommitCount")<CommitCount, () => number | undefined>()
{}

/**
 * Asked for every request, and so without what other statements pay for.
 *
 * @since 0.1.0
 * @category constructors
 */
export const of = ({ driver }: SqliteConnection): CommitCount["Type"] => {
  const asked = driver.prepare<[], number>("pragma data_version").pluck()
  return () => {
    try {
      return asked.get()
    } catch {
      return undefined
    }
  }
}
