import type { Demo } from "@trailbook/demo"
import { ignoreMissingPackage } from "@trailbook/runtime/MissingPackage"
import { OperatorError } from "@trailbook/runtime/OperatorError"
import type { RunningServer } from "@trailbook/server/runServer"
import { resolve } from "node:path"
import process from "node:process"
import type { CommandRunner } from "./Command.ts"
import { makeInvocation } from "./invocation.ts"
import * as Print from "./Print.ts"

const folder = ".trailbook"

export const run: CommandRunner<"demo"> = async ({ json, ...settings }, { env }) => {
  const { withFlag, withPort } = makeInvocation("demo", env, process.argv)
  const loaded = await import("@trailbook/demo").catch(ignoreMissingPackage("@trailbook/demo"))
  if (loaded === undefined) throw new OperatorError("The demo is not installed.", "Run npm install @trailbook/demo.")
  const { demo, outbox, serve } = await loaded.prepareDemo({ ...settings, folder, withPort })
  if (demo.isExisting && demo.seed !== settings.seed) {
    Print.note(`Keeping the existing demo in ${folder} with seed ${demo.seed}. Use --fresh to replace it.`)
  }
  return serve((server, signInAt) => {
    if (json) Print.json({ base_url: server.baseUrl, ...answer(demo, server, signInAt) })
    else Print.text(welcome(demo, server, { signInAt, outbox, fresh: withFlag("--fresh") }))
  })
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
  `${Print.formatBold(`Trailbook is ready at ${baseUrl}`)}

  Outfitter  Salida River Co., generated ${
    demo.isExisting ? `on ${demo.made_at.slice(0, 10)} and extended to today` : "just now"
  }: a season on two rivers
  Dashboard  ${signInAt}
             works once and expires after 24 hours; each start prints a new link
  Book       ${origin}/book/${demo.slug}
  Website    ${origin}/widget/${demo.slug}
  API key    ${demo.api_key}
  Reference  ${origin}/reference
  Assistants ${origin}/mcp
  Emails     ${outbox}
  Payments   test checkout, no money moves
  Data       ${resolve(folder)}

Show availability for Browns Canyon, including a trip with one seat left:

  curl -H "Authorization: Bearer ${demo.api_key}" ${baseUrl}/offerings/${demo.offering_id}/availability

List guest conversations:

  curl -H "Authorization: Bearer ${demo.api_key}" ${baseUrl}/conversations

List the ops agent's proposals for tomorrow:

  curl -H "Authorization: Bearer ${demo.api_key}" "${baseUrl}/proposals?status=pending"

Ctrl-C stops the demo and keeps its data. To start over: ${fresh}
`
