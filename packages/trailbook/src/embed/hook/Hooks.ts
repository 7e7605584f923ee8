import { type EventType, eventTypes, eventView, type Subscriber, SubscriberFailed } from "@trailbook/core/event"
import * as Effect from "effect/Effect"
import { formatHostFailure } from "../transaction/HostFunctionError.ts"
import type { EventHandlerOptions, EventSubscriber } from "./EventSubscriber.ts"

interface Entry extends Pick<Subscriber, "name" | "type" | "from"> {
  /** The handler's org. Undefined for the default org, whose ID may still be unknown. */
  readonly orgId: string | undefined
  readonly handler: (event: unknown) => unknown
}

/**
 * The host application's event handlers. The ID of the default org may be unknown until the database is open, so
 * handler names are checked for duplicates at registration and again once the ID is known.
 */
export class Hooks {
  readonly #entries = new Set<Entry>()
  readonly #endSignal: AbortSignal
  readonly #findOwnId: (() => Promise<string>) | undefined
  #ownId: string | undefined

  /**
   * No handler is called after `endSignal` is aborted. `findOwnId` returns the ID of the default org, and is
   * undefined if no default org is configured.
   */
  constructor(endSignal: AbortSignal, findOwnId: (() => Promise<string>) | undefined) {
    this.#endSignal = endSignal
    this.#findOwnId = findOwnId
  }

  /** Returns an org's `on` function. */
  of(orgId: string | undefined): EventSubscriber {
    return (type, handler, options) => {
      if (orgId === undefined && this.#findOwnId === undefined) {
        throw new TypeError("org: is required because no default outfitter is configured")
      }
      // The signature of `On` guarantees that the handler accepts events of this type.
      const entry = makeEntry(orgId, type, handler as Entry["handler"], options)
      this.#assertUniqueName(entry)
      this.#entries.add(entry)
      return () => {
        this.#entries.delete(entry)
      }
    }
  }

  /** Resolves the ID of the default org. Rejects if two handlers for an org have the same name. */
  async settle(): Promise<void> {
    if (this.#findOwnId === undefined) return
    this.#ownId ??= await this.#findOwnId()
    for (const entry of this.#entries) this.#assertUniqueName(entry)
  }

  /** The current subscribers. */
  get subscribers(): Effect.Effect<ReadonlyArray<Subscriber>> {
    return Effect.sync(() =>
      [...this.#entries].flatMap((entry) => {
        const orgId = this.#resolveOrgId(entry)
        return orgId === undefined || this.#endSignal.aborted ? [] : [this.#toSubscriber(entry, orgId)]
      })
    )
  }

  #toSubscriber(entry: Entry, orgId: string): Subscriber {
    const { from, handler, name, type } = entry
    return {
      orgId,
      name,
      type,
      from,
      isCanceled: Effect.sync(() => this.#endSignal.aborted || !this.#entries.has(entry)),
      tell: (event) =>
        Effect.tryPromise({
          try: async () => {
            await handler(eventView(event))
          },
          catch: (error) => new SubscriberFailed({ message: formatHostFailure("handler", error) })
        })
    }
  }

  #resolveOrgId({ orgId }: Pick<Entry, "orgId">): string | undefined {
    return orgId ?? this.#ownId
  }

  #assertUniqueName(entry: Entry): void {
    const isTaken = [...this.#entries].some((other) =>
      other !== entry && other.name === entry.name && this.#resolveOrgId(other) === this.#resolveOrgId(entry)
    )
    if (isTaken) throw new TypeError(`name: another handler is already named ${entry.name}`)
  }
}

const makeEntry = (
  orgId: string | undefined,
  type: EventType | "*",
  handler: Entry["handler"],
  { from = "now", name = type === "*" ? "all" : type }: EventHandlerOptions = {}
): Entry => {
  if (type !== "*" && !eventTypes.includes(type)) {
    throw new TypeError(`type: must be * or one of ${eventTypes.join(", ")}`)
  }
  if (typeof handler !== "function") throw new TypeError("handler: must be a function")
  if (typeof name !== "string" || !/^[a-z0-9][a-z0-9_.-]{0,63}$/.test(name)) {
    throw new TypeError(
      "name: must start with a lowercase letter or a digit and contain at most 64 characters from a-z, 0-9, _, ., and -"
    )
  }
  if (from !== "now" && from !== "start") throw new TypeError("from: must be now or start")
  return { orgId, type, handler, name, from }
}
