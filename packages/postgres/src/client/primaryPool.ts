/**
 * Pools for databases with several servers. The pools connect to the server that accepts writes, and move to another
 * server after a failover.
 */
import { Client, type ClientConfig, Pool, type PoolClient, type PoolConfig } from "pg"

/** The servers of a database. All pools for the database share this object. */
export interface ServerList {
  readonly urls: ReadonlyArray<string>
  /** The index of the server for the next connection. */
  at: number
}

export const makePool = (servers: ServerList, options: PoolConfig): Pool => {
  const { urls: [first, ...otherUrls] } = servers
  return otherUrls.length === 0 ? new Pool({ ...options, connectionString: first }) : new PrimaryPool(servers, options)
}

type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: (release?: unknown) => void
) => void

/** The `pg-pool` error that is thrown if no connection is released in time. Trying another server would not help. */
const poolTimeoutMessage = "timeout exceeded when trying to connect"

class PrimaryPool extends Pool {
  readonly #servers: ServerList

  constructor(servers: ServerList, options: PoolConfig) {
    super({
      ...options,
      Client: class extends Client {
        constructor(config?: ClientConfig) {
          super({ ...config, connectionString: servers.urls[servers.at] })
        }
      },
      onConnect: assertWritable
    })
    this.#servers = servers
  }

  override connect(): Promise<PoolClient>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<PoolClient> | void {
    if (callback === undefined) {
      return new Promise((resolve, reject) =>
        this.connect((error, client) => client === undefined ? reject(error) : resolve(client))
      )
    }
    this.#connect(callback, this.#servers.urls.length)
  }

  #connect(callback: ConnectCallback, attempts: number): void {
    const servers = this.#servers
    const { at } = servers
    super.connect((error, client, done) => {
      if (client !== undefined || error?.message === poolTimeoutMessage) return callback(error, client, done)
      // A concurrent attempt may have already moved on to the next server.
      if (servers.at === at) servers.at = (at + 1) % servers.urls.length
      if (attempts <= 1) return callback(error, client, done)
      this.#connect(callback, attempts - 1)
    })
  }
}

const assertWritable = async (client: Pick<Client, "query">): Promise<void> => {
  const { rows: [row] } = await client.query<{ readonly transaction_read_only: string }>("show transaction_read_only")
  if (row?.transaction_read_only === "on") throw new ReadOnlyServer()
}

/** Reports that the server is a standby. It has the SQLSTATE of a rejected write. */
class ReadOnlyServer extends Error {
  readonly code = "25006"
  constructor() {
    super("no server accepts writes.")
  }
}
