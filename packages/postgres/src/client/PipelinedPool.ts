/**
 * A `pg` pool for `@effect/sql-pg`. Its clients prepare their statements by name and send concurrent statements
 * together. The pool wraps an existing pool, which can be a host's pool.
 */
import * as Fiber from "effect/Fiber"
import type { Pool, PoolClient } from "pg"
import { type ConnectionOptions, PipelinedClient } from "./PipelinedClient.ts"

export interface PipelinedPool {
  /** The value for `PgClient.fromPool`. */
  readonly pool: Pool
  /**
   * Releases the client that an interrupted fiber requested but did not take. Without this call, `@effect/sql-pg` would
   * leak the client.
   */
  readonly giveUp: (fiber: object) => void
}

interface Checkout {
  isGone: boolean
  release: ((error?: unknown) => void) | undefined
}

export const makePipelinedPool = (pool: Pool, options: ConnectionOptions): PipelinedPool => {
  const clients = new WeakMap<PoolClient, PipelinedClient>()
  const checkouts = new WeakMap<object, Checkout>()
  const pipelineOver = (client: PoolClient): PipelinedClient => {
    const existing = clients.get(client)
    if (existing !== undefined) return existing
    const pipelinedClient = new PipelinedClient(client, options)
    clients.set(client, pipelinedClient)
    return pipelinedClient
  }
  const connect = (
    callback: (error: unknown, client?: PipelinedClient, release?: (error?: unknown) => void) => void
  ) => {
    const checkout: Checkout = { isGone: false, release: undefined }
    const fiber = Fiber.getCurrentFiber()
    if (fiber._tag === "Some") checkouts.set(fiber.value, checkout)
    const request = () =>
      pool.connect((error, client, giveBack) => {
        if (client === undefined) return callback(error)
        // Some pool-like objects pass no release function.
        const release = giveBack ?? client.release.bind(client)
        if (checkout.isGone) return release()
        const pipelinedClient = pipelineOver(client)
        if (pipelinedClient.isOutdated()) {
          pipelinedClient.end(new Error("The connection is outdated"), release)
          return request()
        }
        pipelinedClient.release = checkout.release = once((error) => pipelinedClient.end(error, release))
        callback(undefined, pipelinedClient, checkout.release)
      })
    request()
  }
  const facade = {
    options: pool.options ?? {},
    get ending() {
      return pool.ending
    },
    connect,
    query: pool.query?.bind(pool)
  }
  return {
    // Implements the members of a pool that `PgClient.fromPool` uses.
    pool: facade as unknown as Pool,
    giveUp: (fiber) => {
      const checkout = checkouts.get(fiber)
      if (checkout === undefined) return
      checkout.isGone = true
      checkout.release?.()
    }
  }
}

const once = <A>(act: (value?: A) => void): (value?: A) => void => {
  let isDone = false
  return (value) => {
    if (isDone) return
    isDone = true
    act(value)
  }
}
