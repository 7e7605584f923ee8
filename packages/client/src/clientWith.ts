import type { CallOptions, Client } from "./Client.ts"
import type { ClientOptions } from "./createClient.ts"
import { pages } from "./pages.ts"
import type { Result } from "./Result.ts"
import type { RetryPolicy } from "./RetryPolicy.ts"
import type { Route } from "./Route.ts"
import { routes } from "./routes.ts"
import { makeSendWithRetry, type SendRequest } from "./sendWithRetry.ts"
import { TrailbookError } from "./TrailbookError.ts"
import { imageUploads, photoUploads, uploads } from "./uploads.ts"

/** Creates a client. Tests replace the timer and random numbers. */
export const clientWith = (options: ClientOptions, patience: RetryPolicy): Client => {
  const { ask, send } = makeSendWithRetry(options, patience)
  const client = Object.fromEntries(
    Object.entries(routes).map(([group, byName]) => [group, callsOf(byName, ask)])
  )
  const results = Object.fromEntries(
    Object.entries(routes).map(([group, byName]) => [group, triesOf(byName, ask)])
  )
  // TypeScript cannot infer the type from the loops, so the cast relies on the generated files, which define both the
  // routes and the type.
  const offerings = { ...client["offerings"], ...photoUploads(send) }
  const org = { ...client["org"], ...imageUploads(send) }
  return { ...client, offerings, org, attachments: uploads(send), try: results } as unknown as Client
}

type Function = (input?: Readonly<Record<string, unknown>>, options?: CallOptions) => unknown

const callsOf = (byName: Readonly<Record<string, Route>>, ask: SendRequest): Record<string, Function> => {
  const calls: Record<string, Function> = {}
  for (const [name, route] of Object.entries(byName)) {
    calls[name] = (input = {}, options = {}) => ask(route, input, options)
    const { next } = route
    if (next !== undefined) {
      calls["all"] = (input = {}, options = {}) => pages((pageInput) => ask(route, pageInput, options), next, input)
    }
  }
  return calls
}

const triesOf = (byName: Readonly<Record<string, Route>>, ask: SendRequest): Record<string, Function> =>
  Object.fromEntries(
    Object.entries(byName).map(([name, route]) => [
      name,
      (input = {}, options = {}) => resultOf(ask(route, input, options))
    ])
  )

/** Returns a `TrailbookError` as a result. Rethrows any other error, such as an aborted signal's reason. */
const resultOf = (answer: Promise<unknown>): Promise<Result<unknown>> =>
  answer.then((value) => ({ ok: true, value }), (error: unknown) => {
    if (error instanceof TrailbookError) return { ok: false, error }
    throw error
  })
