/** nginx, HAProxy, and Caddy with the documented configuration, on a loopback port and without TLS. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort } from "../freePort.ts"
import { whenKilled } from "../reliability/whenKilled.ts"

export type ProxyName = "nginx" | "haproxy" | "caddy"

export interface Proxy {
  readonly name: ProxyName
  readonly url: string
  readonly stop: () => Promise<void>
}

export const proxyNames: ReadonlyArray<ProxyName> = ["nginx", "haproxy", "caddy"]

export const isInstalled = (name: ProxyName): boolean =>
  spawnSync(name, [name === "caddy" ? "version" : "-v"]).status === 0

const readDocumented = (file: string): Promise<string> =>
  readFile(join(import.meta.dirname, "../../examples/deploy", file), "utf8")

/** Replaces the parts of the documented configuration that differ in the test. Fails if a part does not exist. */
const replaceTexts = (text: string, changes: Readonly<Record<string, string>>): string =>
  Object.entries(changes).reduce((before, [part, other]) => {
    if (!before.includes(part)) throw new Error(`The configuration does not contain ${part}.`)
    return before.replace(part, other)
  }, text)

/** Starts a proxy in front of two servers. Resolves when it accepts connections. */
export const startProxy = async (
  name: ProxyName,
  [first, second]: readonly [number, number],
  folder: string
): Promise<Proxy> => {
  const port = await freePort()
  const proxyFolder = join(folder, name)
  await mkdir(proxyFolder)
  const servers = { "127.0.0.1:4001": `127.0.0.1:${first}`, "127.0.0.1:4002": `127.0.0.1:${second}` }
  const args = await configured[name](proxyFolder, port, servers)
  const child = spawn(name, args, { stdio: ["ignore", "ignore", "inherit"] })
  const exit = once(child, "exit")
  void exit.then(whenKilled("kill -9 \"$1\"", String(child.pid)))
  const url = `http://127.0.0.1:${port}`
  for (; child.exitCode === null; await sleep(50)) {
    const answer = await fetch(`${url}/livez`).catch(() => undefined)
    if (answer?.status !== 200) continue
    return {
      name,
      url,
      stop: async () => {
        child.kill()
        await exit
      }
    }
  }
  throw new Error(`${name} does not start with the documented configuration.`)
}

type Configure = (folder: string, port: number, servers: Readonly<Record<string, string>>) => Promise<Array<string>>

const configured: Readonly<Record<ProxyName, Configure>> = {
  nginx: async (folder, port, servers) => {
    const text = replaceTexts(await readDocumented("nginx.conf"), {
      ...servers,
      "listen 443 ssl;": `listen 127.0.0.1:${port};`,
      "ssl_certificate ": "# ",
      "ssl_certificate_key": "#"
    })
    const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) =>
      `${kind}_temp_path ${folder}/${kind};`
    )
    const http = `http {\naccess_log off;\n${paths.join("\n")}\n${text}}`
    const main = `pid ${folder}/nginx.pid;\nerror_log stderr crit;\nevents {}\n${http}\n`
    await writeFile(join(folder, "nginx.conf"), main)
    return ["-p", folder, "-c", join(folder, "nginx.conf"), "-g", "daemon off; master_process off;"]
  },
  haproxy: async (folder, port, servers) => {
    const file = join(folder, "haproxy.cfg")
    const bind = "bind :443 ssl crt /etc/haproxy/book.example.com.pem"
    await writeFile(
      file,
      replaceTexts(await readDocumented("haproxy.cfg"), { ...servers, [bind]: `bind 127.0.0.1:${port}` })
    )
    return ["-q", "-f", file]
  },
  caddy: async (folder, port, servers) => {
    const file = join(folder, "Caddyfile")
    const text = replaceTexts(await readDocumented("Caddyfile"), {
      ...servers,
      "book.example.com": `http://127.0.0.1:${port}`
    })
    // Without the admin listener, several instances can run on one machine.
    await writeFile(file, `{\n  admin off\n  log {\n    level ERROR\n  }\n}\n${text}`)
    return ["run", "--config", file, "--adapter", "caddyfile"]
  }
}
