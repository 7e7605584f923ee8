import * as Effect from "effect/Effect"
import { join, resolve } from "node:path"
import process from "node:process"
import { demoForecast } from "../demo/DemoForecast.ts"
import { type Demo, prepare } from "../demo/prepare.ts"
import { deleteDemo } from "../demo/resetDemo.ts"
import { testPaymentFileName } from "../demo/testPayments/TestPaymentFile.ts"
import * as TestPaymentProvider from "../demo/testPayments/TestPaymentProvider.ts"
import { listenUrl } from "../server/listenUrl.ts"
import { type RunningServer, runServer } from "../server/runServer.ts"
import { runUntilSignal } from "../server/runUntilSignal.ts"
import { readSettings } from "../setting/read.ts"
import type { Run } from "./Command.ts"
import { startedAs } from "./invocation.ts"
import * as Print from "./Print.ts"

const folder = ".trailbook"

export const run: Run<"demo"> = async ({ fresh, json, logFormat, seed, ...settings }, { env }) => {
  const outbox = settings.outbox ?? join(folder, "outbox")
  const { again, withPort } = startedAs("demo", env, process.argv)
  if (fresh) await deleteDemo(folder)
  const demo = await prepare(folder, {
    seed,
    outbox,
    mailFrom: settings.mailFrom,
    // With `--port 0`, the port is not known when the demo generates its emails, so their links do not work.
    publicUrl: settings.publicUrl ?? listenUrl(settings),
    files: settings
  })
  if (demo.kept && demo.seed !== seed) {
    Print.note(`The existing demo in ${folder} with seed ${demo.seed} is kept. Use --fresh to replace it.`)
  }
  // Use the `serve` defaults and ignore the environment, because demo data must not reach mail servers or external
  // services.
  const { values: onlyWritten } = readSettings("serve", new Map(), {})
  const { openAt, payments, routes: ownRoutes } = TestPaymentProvider.make(join(folder, testPaymentFileName))
  const options = {
    ...onlyWritten,
    ...settings,
    outbox,
    database: demo.database,
    payments,
    ownRoutes,
    weather: demoForecast,
    withPort
  }
  return runUntilSignal(
    (log) =>
      Effect.tap(
        runServer({ ...options, log }),
        ({ origin }) => Effect.sync(() => openAt(settings.publicUrl ?? origin))
      ),
    (server) => {
      // The link must use this origin, because the sign-in cookie is not valid for any other.
      const signInAt = `${settings.publicUrl ?? server.origin}/sign-in/${demo.signIn}`
      if (json) Print.json({ base_url: server.baseUrl, ...answer(demo, server, signInAt) })
      else Print.text(welcome(demo, server, { signInAt, outbox, fresh: again("--fresh") }))
    },
    logFormat
  )
}

const answer = ({ api_key, offering_id, org_id, slug }: Demo, { origin }: RunningServer, signIn: string) => ({
  api_key,
  org_id,
  offering_id,
  sign_in_url: signIn,
  booking_url: `${origin}/book/${slug}`,
  reference_url: `${origin}/reference`
})

const welcome = (
  demo: Demo,
  { baseUrl, origin }: RunningServer,
  { fresh, outbox, signInAt }: Readonly<Record<"fresh" | "outbox" | "signInAt", string>>
): string =>
  `${Print.strong(`Trailbook is ready at ${baseUrl}`)}

  Outfitter  Salida River Co., generated ${
    demo.kept ? `on ${demo.made_at.slice(0, 10)} and extended to today` : "just now"
  }: a season on two rivers
  Dashboard  ${signInAt}
             works once, within 24 hours; each start prints a new link
  Book       ${origin}/book/${demo.slug}
  Website    ${origin}/widget/${demo.slug}
  API key    ${demo.api_key}
  Reference  ${origin}/reference
  Assistants ${origin}/mcp
  Emails     ${outbox}
  Payments   test checkout, no money moves
  Data       ${resolve(folder)}

Show the availability of Browns Canyon, including a trip with one seat left:

  curl -H "Authorization: Bearer ${demo.api_key}" ${baseUrl}/offerings/${demo.offering_id}/availability

List the guest conversations:

  curl -H "Authorization: Bearer ${demo.api_key}" ${baseUrl}/conversations

List the proposals of the ops agent for tomorrow:

  curl -H "Authorization: Bearer ${demo.api_key}" "${baseUrl}/proposals?status=pending"

Ctrl-C stops the demo and keeps its data. To start over: ${fresh}
`
