import type { Column, ColumnKind } from "@trailbook/sql/Columns"
import type { Dialect } from "@trailbook/sql/Dialect"
import { isContentionError, isUnavailableError } from "./classifyError.ts"

export interface PostgresOptions {
  /**
   * The schema for the tables, in lowercase letters, digits, and underscores. Trailbook creates the schema if it does
   * not exist.
   */
  readonly schema?: string
  /** Set to false behind a transaction-mode pooler that does not track prepared statements. */
  readonly prepare?: boolean
  /**
   * Whether row-level security restricts each request to the rows of its org. Row-level security has no effect on
   * superusers and roles with BYPASSRLS. Default: true.
   */
  readonly rowSecurity?: boolean
}

const defaultSchema = "trailbook"

/** Returns the schema name. Throws if the name is invalid. */
export const getSchemaName = ({ schema = defaultSchema }: PostgresOptions): string => {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) return schema
  throw new Error(`${JSON.stringify(schema)} is not a valid schema name.`)
}

export const usesRowSecurity = ({ rowSecurity = true }: PostgresOptions): boolean => rowSecurity

/** The Postgres dialect. Every table name includes its schema, so `search_path` has no effect. */
export const makeDialect = (schema: string): Dialect => ({
  table: (name) => `"${schema}".${name}`,
  // Use JSON instead of JSONB, so that stored JSON keeps its exact text. The parameter is text, because some host
  // drivers would encode a JSON parameter twice.
  records: (parameter, columns) => {
    const fields = Object.entries(columns).map(([name, column]) => `${name} ${typeOf(column)}`)
    return `(select ${Object.entries(columns).map(readExpression).join(", ")}
      from json_to_recordset((${parameter}::text)::json) as record(${fields.join(", ")}))`
  },
  // Use the statement's start time. It is constant within the statement, so index conditions can use it.
  now: "floor(extract(epoch from statement_timestamp()) * 1000)::bigint",
  gathered: (...columns) => `coalesce(json_agg(json_build_array(${columns.join(", ")})), '[]')`,
  lateral: true,
  isOutOfProcess: true,
  locksRows: true,
  lockNames: "select pg_advisory_xact_lock(hashtextextended(value, 0)) from json_array_elements_text(($1::text)::json)",
  jsonText: (column, ...path) => `(${column} #>> '{${path.join()}}')`,
  holds: (text, part) => `strpos(${text}, ${part}) > 0`,
  words: (text, alias) => `unnest(string_to_array(${text}, ' ')) as ${alias} (value)`,
  // The update fits into its page, and the server recycles WAL files, so the update can succeed on a full disk. The
  // rows of the last statement exceed `work_mem`, so Postgres needs about 300 KB of disk space for them until the
  // statement ends.
  heartbeat: [
    `update "${schema}".migrations set name = name where number = (select max(number) from "${schema}".migrations)`,
    "select set_config('work_mem', '64kB', true)",
    "select count(*) from generate_series(1, 10000)"
  ],
  isUnavailable: isUnavailableError,
  isContended: isContentionError
})

const types: Record<ColumnKind, string> = {
  text: "text",
  integer: "bigint",
  real: "double precision",
  boolean: "boolean",
  instant: "bigint",
  json: "json"
}

/**
 * Returns the expression that reads a column. Record functions convert JSON null to SQL null, but JSON columns store
 * JSON null.
 */
const readExpression = ([name, column]: readonly [string, Column]): string =>
  column === "json" ? `coalesce(${name}, 'null') as ${name}` : name

const isKind = (column: string): column is ColumnKind => column in types

const typeOf = (column: Column): string => {
  const kind = column.replace("?", "")
  return isKind(kind) ? types[kind] : column
}
