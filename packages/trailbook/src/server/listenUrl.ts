import type { Address } from "@trailbook/http/serve"

/**
 * The address to type in for one that was listened on. What listens on every
 * address of the machine is reached at its own.
 */
export const listenUrl = ({ host, port }: Address): string => {
  const reached = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host
  return `http://${reached.includes(":") ? `[${reached}]` : reached}:${port}`
}
