/**
 * @since 0.1.0
 */
import type { Kind } from "./Kind.ts"

/**
 * Where the data is. `file` is as it was given, relative to the working folder.
 *
 * @since 0.1.0
 * @category models
 */
export interface DatabaseUrl {
  readonly _tag: "Sqlite"
  readonly file: string
}

/**
 * `sqlite:trailbook.sqlite`, `sqlite:./data/trailbook.sqlite`,
 * `sqlite:/var/lib/trailbook.sqlite`, and with the two slashes that some tools
 * write after the scheme.
 *
 * @since 0.1.0
 * @category kinds
 */
export const databaseUrl: Kind<DatabaseUrl> = {
  placeholder: "<url>",
  accepts: "sqlite:<file>, such as sqlite:trailbook.sqlite",
  secret: true,
  read: (text) => {
    if (/^postgres(ql)?:/i.test(text)) return { must: postgres }
    const file = /^sqlite:(?:\/\/)?(.+)$/i.exec(text)?.[1]
    // A database in memory would be gone with the command that made it.
    if (file === undefined || file === ":memory:" || file.endsWith("/") || /[\0?#]/.test(file)) {
      return { must: "must be sqlite:<file>, such as sqlite:trailbook.sqlite" }
    }
    return { value: { _tag: "Sqlite", file } }
  }
}

const postgres =
  "cannot be Postgres yet, which comes with the postgres package in a later release; sqlite:<file> works now, " +
  "such as sqlite:trailbook.sqlite"
