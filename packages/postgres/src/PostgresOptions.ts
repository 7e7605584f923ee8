export interface PostgresOptions {
  /** Where the tables are: lowercase letters, digits and underscores. It is made when it is missing. */
  readonly schema?: string
  /** Off behind a pooler in transaction mode that cannot follow prepared statements. */
  readonly prepare?: boolean
  /**
   * Whether the database keeps each request to the rows of its org. It binds every
   * role but a superuser and one that may bypass it. On by default.
   */
  readonly rowSecurity?: boolean
}

const defaultSchema = "trailbook"

/** Where the tables are. It throws when that is no name for a schema. */
export const schemaName = ({ schema = defaultSchema }: PostgresOptions): string => {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) return schema
  throw new Error(`${JSON.stringify(schema)} is no name for a schema.`)
}

export const usesRowSecurity = ({ rowSecurity = true }: PostgresOptions): boolean => rowSecurity
