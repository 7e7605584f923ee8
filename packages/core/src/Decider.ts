/** A `Decider` is a state machine, written as two pure functions. */
import * as Either from "effect/Either"

interface Tagged {
  readonly _tag: string
}

/**
 * `decide` returns the events of a command, with one rule per command; `evolve` applies an event to the state. An
 * idempotent command returns no events when it is repeated. A command without a rule is a type error, and callers see
 * only the refusals of the commands they send.
 */
export interface Decider<
  State,
  Command extends Tagged,
  Event,
  Refusals extends { readonly [Tag in Command["_tag"]]: unknown }
> {
  readonly decide: {
    readonly [Tag in Command["_tag"]]: (
      state: State,
      command: Extract<Command, { readonly _tag: Tag }>
    ) => Either.Either<ReadonlyArray<Event>, Refusals[Tag]>
  }
  readonly evolve: (state: State, event: Event) => State
}

export interface Decision<State, Event> {
  readonly state: State
  readonly events: ReadonlyArray<Event>
}

/** Decides a command and applies its events, so that a caller cannot store a state without matching events. */
export const run = <
  State,
  Command extends Tagged,
  Event,
  Refusals extends { readonly [Tag in Command["_tag"]]: unknown }
>(decider: Decider<State, Command, Event, Refusals>) =>
<Given extends Command>(
  state: State,
  command: Given
): Either.Either<Decision<State, Event>, Refusals[Given["_tag"]]> => {
  // The rule for a tag accepts the command with this tag, but the compiler cannot infer that.
  const rule = decider.decide[command._tag as Given["_tag"]] as unknown as (
    state: State,
    command: Given
  ) => Either.Either<ReadonlyArray<Event>, Refusals[Given["_tag"]]>
  return Either.map(rule(state, command), (events) => ({ state: events.reduce(decider.evolve, state), events }))
}

/** Whether a patch changes anything. Values are compared as JSON. */
export const changes = <State extends object>(state: State, patch: Partial<State>): boolean =>
  (Object.keys(patch) as Array<keyof State>).some((key) => JSON.stringify(state[key]) !== JSON.stringify(patch[key]))
