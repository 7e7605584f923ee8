/**
 * A `Decider` is a state machine written as two pure functions.
 */
import * as Either from "effect/Either"

interface Tagged {
  readonly _tag: string
}

/**
 * `decide` says what happens, one rule for each command, `evolve` says what that
 * makes of the state. A command that may be repeated safely decides on no
 * events. A new command does not compile until it has its rule, and callers see
 * the refusals of just the commands they give.
 *
 * @category models
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

/**
 * @category models
 */
export interface Decision<State, Event> {
  readonly state: State
  readonly events: ReadonlyArray<Event>
}

/**
 * Decides one command and folds its events, so that a caller can never store a
 * state which the events do not explain.
 *
 * @category running
 */
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
  // The rule found under a command's tag is the one that takes this command; the compiler does not follow that far.
  const rule = decider.decide[command._tag as Given["_tag"]] as unknown as (
    state: State,
    command: Given
  ) => Either.Either<ReadonlyArray<Event>, Refusals[Given["_tag"]]>
  return Either.map(rule(state, command), (events) => ({ state: events.reduce(decider.evolve, state), events }))
}

/**
 * Whether a patch would change anything. Values are JSON, compared as such.
 *
 * @category deciding
 */
export const changes = <State extends object>(state: State, patch: Partial<State>): boolean =>
  (Object.keys(patch) as Array<keyof State>).some((key) => JSON.stringify(state[key]) !== JSON.stringify(patch[key]))
