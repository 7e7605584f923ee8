/**
 * @since 0.1.0
 */
import { join } from "node:path"
import { type Demo, prepare } from "../demo/prepare.ts"
import { originOf } from "../server/originOf.ts"
import { type RunningServer, runServer } from "../server/runServer.ts"
import { untilSignal } from "../server/untilSignal.ts"
import type { Run } from "./Command.ts"
import * as Print from "./Print.ts"

const folder = ".trailbook"

/**
 * @since 0.1.0
 * @category commands
 */
export const run: Run<"demo"> = async ({ json, seed, ...settings }) => {
  const outbox = settings.outbox ?? join(folder, "outbox")
  const demo = await prepare(folder, {
    seed,
    outbox,
    mailFrom: settings.mailFrom,
    // With any free port it is not known yet; the mails of the story then lead nowhere.
    publicUrl: settings.publicUrl ?? originOf(settings)
  })
  if (demo.kept && demo.seed !== seed) {
    Print.note(`The demo in ${folder} was made with seed ${demo.seed} and is kept; delete the folder to make another.`)
  }
  return untilSignal((log) => runServer({ ...settings, outbox, database: demo.database, log }), (server) => {
    if (json) Print.json({ base_url: server.baseUrl, ...answer(demo, server) })
    else Print.text(welcome(demo, server, outbox))
  })
}

const answer = ({ api_key, offering_id, org_id }: Demo, { origin }: RunningServer) => ({
  api_key,
  org_id,
  offering_id,
  reference_url: `${origin}/reference`
})

const welcome = (demo: Demo, { baseUrl, origin }: RunningServer, outbox: string): string =>
  `${Print.strong(`Trailbook is ready at ${baseUrl}`)}

  Outfitter  Salida River Co., made up ${
    demo.kept ? `on ${demo.made_at.slice(0, 10)}` : "just now"
  }: ten guests on two rivers
  API key    ${demo.api_key}
  Reference  ${origin}/reference
  Assistants ${origin}/mcp
  Mails      ${outbox}

See the last seat of the next trip through Browns Canyon:

  curl -H "Authorization: Bearer ${demo.api_key}" ${baseUrl}/offerings/${demo.offering_id}/availability

Ctrl-C ends it and keeps everything; delete ${folder} to start over.
`
