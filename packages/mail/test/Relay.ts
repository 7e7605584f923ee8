/**
 * A relay between Trailbook and the guest's mail server. It accepts every email, forwards it by domain, retries
 * temporary failures, and sends the requested delivery reports.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createTransport } from "nodemailer"
import { freePort } from "../../../test/freePort.ts"
import { type ArrivedMail, postmaster } from "./Postmaster.ts"

export interface RelayOptions {
  /** The port of the guest's server. */
  readonly guestPort: number
  readonly replyDomain: string
}

export interface Relay {
  readonly port: number
  /** The LMTP port for email to Trailbook's addresses. */
  readonly lmtpPort: number
  readonly close: () => Promise<void>
}

const postfix = async ({ guestPort, replyDomain }: RelayOptions): Promise<Relay> => {
  const [port, lmtpPort] = [await freePort(), await freePort()]
  const folder = mkdtempSync(join(tmpdir(), "trailbook-postfix-"))
  chmodSync(folder, 0o755)
  const [config, queue, data] = ["etc", "queue", "data"].map((name) => join(folder, name)) as [string, string, string]
  for (const path of [config, queue, data]) mkdirSync(path, { mode: 0o755 })
  execFileSync("chown", ["postfix", data])
  writeFileSync(
    join(config, "main.cf"),
    [
      "compatibility_level = 3.6",
      `queue_directory = ${queue}`,
      `data_directory = ${data}`,
      `maillog_file = ${join(folder, "log")}`,
      `maillog_file_prefixes = ${folder}`,
      "myhostname = relay.example",
      "mydestination =",
      "inet_interfaces = 127.0.0.1",
      "inet_protocols = ipv4",
      "mynetworks = 127.0.0.0/8",
      "alias_maps =",
      "smtputf8_enable = no",
      "message_size_limit = 30000000",
      // Retry temporary failures within seconds. Reports are sent immediately.
      "smtp_tls_security_level = none",
      "minimal_backoff_time = 1s",
      "queue_run_delay = 1s",
      `relay_domains = ${replyDomain}`,
      `transport_maps = inline:{ ${replyDomain}=lmtp:inet:127.0.0.1:${lmtpPort}, guest.example=smtp:[127.0.0.1]:${guestPort} }`,
      ""
    ].join("\n")
  )
  writeFileSync(
    join(config, "master.cf"),
    [
      `127.0.0.1:${port} inet n - n - - smtpd`,
      "cleanup unix n - n - 0 cleanup",
      "qmgr unix n - n 300 1 qmgr",
      "rewrite unix - - n - - trivial-rewrite",
      "bounce unix - - n - 0 bounce",
      "defer unix - - n - 0 bounce",
      "trace unix - - n - 0 bounce",
      "verify unix - - n - 1 verify",
      "smtp unix - - n - - smtp",
      "relay unix - - n - - smtp",
      "lmtp unix - - n - - lmtp",
      "showq unix n - n - - showq",
      "error unix - - n - - error",
      "retry unix - - n - - error",
      "anvil unix - - n - 1 anvil",
      "scache unix - - n - 1 scache",
      "proxymap unix - - n - - proxymap",
      "tlsmgr unix - - n 1000? 1 tlsmgr",
      "postlog unix-dgram n - n - 1 postlogd",
      ""
    ].join("\n")
  )
  execFileSync("postfix", ["-c", config, "start"], { stdio: "pipe" })
  return {
    port,
    lmtpPort,
    close: async () => {
      execFileSync("postfix", ["-c", config, "stop"], { stdio: "pipe" })
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** Starts a minimal relay that does not need Postfix. */
const ofOurOwn = async ({ guestPort, replyDomain }: RelayOptions): Promise<Relay> => {
  const lmtpPort = await freePort()
  const to = (port: number, lmtp: boolean) => createTransport({ host: "127.0.0.1", port, lmtp, ignoreTLS: true })
  const handOver = async ({ from, raw }: ArrivedMail, recipient: string): Promise<string | undefined> => {
    const isOurs = recipient.endsWith(`@${replyDomain}`)
    const transport = to(isOurs ? lmtpPort : guestPort, isOurs)
    try {
      const { rejectedErrors } = await transport.sendMail({ envelope: { from, to: [recipient] }, raw })
      return rejectedErrors?.[0]?.response
    } catch (error) {
      return error instanceof Error ? String(Reflect.get(error, "response")) : "5.0.0"
    } finally {
      transport.close()
    }
  }
  const report = (mail: ArrivedMail, recipient: string, refusal: string | undefined): ArrivedMail => ({
    ...mail,
    from: "",
    to: [mail.from],
    raw: Buffer.from([
      "From: MAILER-DAEMON@relay.example",
      `To: ${mail.from}`,
      "Auto-Submitted: auto-replied",
      "MIME-Version: 1.0",
      "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
      "",
      "--b",
      "Content-Type: message/delivery-status",
      "",
      "Reporting-MTA: dns; relay.example",
      "",
      `Final-Recipient: rfc822; ${recipient}`,
      `Action: ${refusal === undefined ? "relayed" : "failed"}`,
      ...(refusal === undefined ? [] : [`Diagnostic-Code: smtp; ${refusal}`]),
      "",
      "--b--",
      ""
    ].join("\r\n"))
  })
  const handOn = async (mail: ArrivedMail): Promise<void> => {
    for (const recipient of mail.to) {
      const refusal = await handOver(mail, recipient)
      const isAsked = mail.notify.includes(refusal === undefined ? "SUCCESS" : "FAILURE")
      // A report never triggers another one.
      if (isAsked && mail.from !== "") await handOn({ ...report(mail, recipient, refusal), notify: [] })
    }
  }
  const server = await postmaster({ hideDSN: false, onArrived: handOn })
  return { port: server.port, lmtpPort, close: server.close }
}

const isRoot = process.getuid?.() === 0

export const relays: ReadonlyArray<{
  readonly name: string
  readonly isThere: boolean
  readonly begin: (around: RelayOptions) => Promise<Relay>
}> = [
  {
    name: "Postfix",
    isThere: isRoot && existsSync("/usr/sbin/postfix") && spawnSync("postconf", ["mail_version"]).status === 0,
    begin: postfix
  },
  { name: "a server of our own", isThere: true, begin: ofOurOwn }
]
