import * as Effect from "effect/Effect"

/**
 * A module that is loaded when it is first needed, and is there at once from then on: who serves no pages, or none yet,
 * has nothing of what makes them in memory.
 */
export const lazyImport = <A>(load: () => Promise<A>): Lazy<A> => {
  let loaded: A | undefined
  let loading: Promise<A> | undefined
  const promise = () =>
    loading ??= load().then((module) => {
      loaded = module
      return module
    })
  return {
    effect: Effect.suspend(() => loaded === undefined ? Effect.promise(promise) : Effect.succeed(loaded)),
    within: (use) => loaded === undefined ? promise().then(use) : use(loaded)
  }
}

export interface Lazy<A> {
  readonly effect: Effect.Effect<A>
  /** At once, where it is there. */
  readonly within: <B>(use: (module: A) => B) => B | Promise<B>
}
