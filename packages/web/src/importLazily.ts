import * as Effect from "effect/Effect"

/** Loads a module on first use and caches it. On a server that renders no pages, the rendering code is never loaded. */
export const importLazily = <A>(load: () => Promise<A>): Lazy<A> => {
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
  /** Calls `use` synchronously if the module is already loaded. */
  readonly within: <B>(use: (module: A) => B) => B | Promise<B>
}
