/** A local mail server. Tests decide whether it accepts or rejects email and whether it sends reports. */
import type { AddressInfo } from "node:net"
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server"

export interface ArrivedMail {
  readonly raw: Buffer
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly dsn: SMTPServerSession["envelope"]["dsn"]
  readonly notify: ReadonlyArray<string>
}

export interface Postmaster {
  readonly port: number
  readonly arrived: ReadonlyArray<ArrivedMail>
  /** The number of connections opened so far. */
  connections: number
  readonly close: () => Promise<void>
}

export const postmaster = async (
  { onArrived, ...options }: SMTPServerOptions & {
    /** Called for each email. The next email on the connection waits for the result. */
    readonly onArrived?: (mail: ArrivedMail) => Promise<void>
  } = {}
): Promise<Postmaster> => {
  const arrived: Array<ArrivedMail> = []
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS", "AUTH"],
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onData: (stream, { envelope }, done) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => void chunks.push(chunk))
      stream.on("end", async () => {
        const mail: ArrivedMail = {
          raw: Buffer.concat(chunks),
          from: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          dsn: envelope.dsn,
          notify: envelope.rcptTo[0]?.dsn?.notify ?? []
        }
        arrived.push(mail)
        await onArrived?.(mail)
        done(null)
      })
    },
    ...options,
    onConnect: (session, done) => {
      instance.connections++
      if (options.onConnect === undefined) return done()
      options.onConnect(session, done)
    }
  })
  server.on("error", () => {})
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
  const instance: Postmaster = {
    port: (server.server.address() as AddressInfo).port,
    arrived,
    connections: 0,
    close: () => new Promise((resolve) => server.close(() => resolve()))
  }
  return instance
}

/** Returns an error that makes the server reject an email with this response code. */
export const makeRefusal = (responseCode: number, words = "no"): Error =>
  Object.assign(new Error(words), { responseCode })
