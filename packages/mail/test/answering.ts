/** The point at which a server's mail listener responds to an email. */
export type Moment = "before it is stored" | "after it was stored"

export const listenerEnv = (moment: Moment): { readonly NODE_OPTIONS: string } => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code(moment))}`
})

const library = new URL("../../../node_modules/smtp-server/dist/esm/smtp-server.js", import.meta.url)

const code = (moment: Moment): string => `
import { SMTPServer } from "${library}"
const onData = ${moment === "before it is stored" ? early : late}
Object.defineProperty(SMTPServer.prototype, "onData", {
  set(own) {
    Object.defineProperty(this, "onData", { value: (...given) => onData(own, ...given) })
  }
})`

const early = `(own, stream, session, answer) => {
  stream.once("end", () => answer(null, session.envelope.rcptTo.map(() => "Taken")))
  own(stream, session, () => {})
}`

const late = `(own, stream, session, answer) =>
  own(stream, session, (...said) => setTimeout(() => answer(...said), 30))`
