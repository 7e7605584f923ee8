/** A Postgres database accessed through the host application's pool. */
export interface PostgresDatabase {
  /** A `pg` pool, version 8.23 or later. Trailbook never ends the pool. */
  readonly pool: PgPool
  /** The schema for the tables. Trailbook creates the schema if it does not exist. Default: `trailbook`. */
  readonly schema?: string | undefined
  /** Set to `false` behind a pooler in transaction mode that does not support prepared statements. */
  readonly prepare?: boolean | undefined
}

/** The part of `pg.Pool` that identifies a pool. */
export interface PgPool {
  connect(): Promise<{ release(destroy?: boolean): void }>
  readonly totalCount: number
}

/** Creates a value for the `database` option from a pool. */
export const postgres = (database: PostgresDatabase): PostgresDatabase => database
