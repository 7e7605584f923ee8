import type { WeatherSettings } from "@trailbook/runtime/service/weatherLayers"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it, onTestFinished } from "vitest"
import { checkWeather } from "../../src/doctor/checkWeather.ts"

const off: WeatherSettings = {
  forecast: "off",
  forecastUrl: undefined,
  forecastKey: undefined,
  forecastContact: undefined,
  gauges: "off",
  gaugesUrl: undefined,
  gaugesKey: undefined
}

const answering = async (status: number, body: object) => {
  const server = createServer((_, response) => response.writeHead(status).end(JSON.stringify(body)))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const lines = async (settings: Partial<WeatherSettings>) =>
  (await checkWeather({ ...off, ...settings })).map(({ check, fix, result }) =>
    `${fix === undefined ? "ok" : "FAULT"} ${check}: ${result}`
  )

describe("the weather check", () => {
  it("reports no problem if no weather source is configured", async () => {
    expect(await lines({})).toEqual([])
  })

  it("queries the source, and reports the forecast length in days", async () => {
    const url = await answering(200, {
      utc_offset_seconds: 0,
      hourly_units: { time: "unixtime", temperature_2m: "°C" },
      hourly: {
        time: Array.from({ length: 49 }, (_, at) => 1_800_000_000 + at * 3600),
        temperature_2m: Array.from({ length: 49 }, () => 10)
      }
    })
    expect(await lines({ forecast: "open-meteo", forecastUrl: url })).toEqual([
      "ok weather: Open-Meteo responds with a forecast for 2 days"
    ])
  })

  it("reports why the source does not respond, without the key", async () => {
    const url = await answering(429, {})
    const settings = { ...off, forecast: "open-meteo", forecastUrl: url, forecastKey: "hunter2" } as const
    expect(await lines(settings)).toEqual(["FAULT weather: Open-Meteo rejected the request because of its rate limit."])
    expect(JSON.stringify(await checkWeather(settings))).not.toContain("hunter2")
    expect(await lines({ gauges: "usgs", gaugesUrl: "http://127.0.0.1:1" })).toEqual([
      "FAULT rivers: USGS is unreachable."
    ])
  })

  it("reports a setting that depends on a missing setting", async () => {
    expect(await lines({ forecast: "nws", forecastKey: "k" })).toEqual([
      "FAULT weather: --forecast nws requires --forecast-contact",
      "FAULT weather: --forecast-key requires --forecast open-meteo"
    ])
  })
})
