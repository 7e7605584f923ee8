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
