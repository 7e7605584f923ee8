/** Receiver behaviors: healthy ones, and the failures that occur in practice. */
import type { OutgoingHttpHeaders, ServerResponse } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import type { Dice } from "../reliability/dice.ts"

export interface Exchange {
  readonly dice: Dice
  readonly response: ServerResponse
  /** Sends a status, which completes the delivery. */
  readonly head: (status: number, headers?: OutgoingHttpHeaders) => ServerResponse
}

/** Responds to a delivery, or never responds. */
export type Script = (exchange: Exchange) => void | Promise<void>

const withStatus = (status: number): Script => ({ head }) => void head(status).end()

export const okResponse = withStatus(200)
export const noContent = withStatus(204)
export const goneResponse = withStatus(410)

export const hang: Script = () => {}

export const respondSlowly = (millis: number): Script => async ({ head }) => {
  await sleep(millis)
  head(200).end()
}

/** Fails this percentage of deliveries. */
export const failRandomly = (percent: number): Script => ({ dice, head }) =>
  void head(dice.percent(percent) ? 500 : 200).end()

export const redirect = (url: string): Script => ({ head }) => void head(307, { location: url }).end()

/** Sends a status line and an endless body, one byte every 50 ms. */
export const dripBody: Script = async ({ head }) => {
  const response = head(200)
  while (!response.closed) {
    response.write("x")
    await sleep(50)
  }
}

/** Sends a status line that takes 50 seconds, one byte every 50 ms. */
export const dripHead: Script = async ({ response: { socket } }) => {
  for (const byte of `HTTP/1.1 200 ${"O".repeat(1000)}`) {
    if (socket === null || socket.destroyed) return
    socket.write(byte)
    await sleep(50)
  }
}

/** Responds with a body of this size. */
export const flood = (bytes: number): Script => ({ head }) =>
  void head(200, { "content-length": bytes }).end(Buffer.alloc(bytes, "x"))

export const reset: Script = ({ response: { socket } }) => void socket?.resetAndDestroy()

/** Behaves like `whenDown` while `isDown` returns true, and is healthy afterward. */
export const until = (isDown: () => boolean, whenDown: Script): Script => (exchange) =>
  (isDown() ? whenDown : okResponse)(exchange)
