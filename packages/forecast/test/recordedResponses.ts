/**
 * Responses in the forecast services' formats, reduced to the fields that the tests need.
 *
 * The grid was compared with a recording of PHI 34,100 from January 2026 and with the OpenAPI schema of
 * api.weather.gov. Every layer has `values`, but only layers with a unit have `uom`. A value can be null for a week.
 * Intervals look like PT13H and P7DT21H.
 *
 * The gauge was compared with the schema of the `latest-continuous` collection and with clients for
 * its versions 0 and 1. Values are text, qualifiers are a list or null, and without a `limit` a response has ten rows.
 *
 * Open-Meteo was compared with responses from `/v1/forecast`: `wmo code`, `unixtime`, null after the end of a model,
 * `error` and `reason`.
 */

/** Sat, Jun 6, 2026, 00:00 UTC. */
export const midnight = Date.UTC(2026, 5, 6)

const hours = (count: number) => Array.from({ length: count }, (_, at) => at)

export const openMeteo = (
  options: { readonly hourly?: object; readonly units?: object; readonly offset?: number } = {}
) => ({
  latitude: 38.53,
  longitude: -106,
  generationtime_ms: 0.12,
  utc_offset_seconds: options.offset ?? 0,
  timezone: "GMT",
  timezone_abbreviation: "GMT",
  elevation: 2160,
  hourly_units: {
    time: "unixtime",
    temperature_2m: "°C",
    wind_speed_10m: "km/h",
    wind_gusts_10m: "km/h",
    precipitation: "mm",
    precipitation_probability: "%",
    weather_code: "wmo code",
    ...options.units
  },
  hourly: {
    time: hours(5).map((at) => midnight / 1000 + at * 3600),
    temperature_2m: [10.1, 11, 12, null, 14],
    wind_speed_10m: [5, 20, null, null, 8],
    wind_gusts_10m: [10, 31, 45, null, 20],
    precipitation: [9, 0.5, 0, null, 1],
    precipitation_probability: [90, 40, 0, null, 20],
    weather_code: [0, 3, 95, null, 61],
    ...options.hourly
  }
})

export const points = (base: string) => ({
  id: `${base}/points/38.5347,-105.9989`,
  type: "Feature",
  properties: {
    gridId: "PUB",
    gridX: 60,
    gridY: 90,
    forecast: `${base}/gridpoints/PUB/60,90/forecast`,
    forecastGridData: `${base}/gridpoints/PUB/60,90`
  }
})

export const grid = (overrides: object = {}) => ({
  "@context": [
    "https://geojson.org/geojson-ld/geojson-context.jsonld",
    {
      "@version": "1.1",
      wmoUnit: "https://codes.wmo.int/common/unit/",
      nwsUnit: "https://api.weather.gov/ontology/unit/"
    }
  ],
  type: "Feature",
  properties: {
    "@type": "wx:Gridpoint",
    updateTime: "2026-06-05T22:41:09+00:00",
    validTimes: "2026-06-05T18:00:00+00:00/P7DT7H",
    elevation: { unitCode: "wmoUnit:m", value: 2159.8128 },
    wetBulbGlobeTemperature: { values: [] },
    heatIndex: { uom: "wmoUnit:degC", values: [{ validTime: "2026-06-05T18:00:00+00:00/P7DT7H", value: null }] },
    hazards: { values: [] },
    temperature: {
      uom: "wmoUnit:degC",
      values: [
        { validTime: "2026-06-06T00:00:00+00:00/PT2H", value: 12.5 },
        { validTime: "2026-06-06T02:00:00+00:00/PT1H", value: null }
      ]
    },
    windSpeed: { uom: "wmoUnit:km_h-1", values: [{ validTime: "2026-06-06T00:00:00+00:00/PT3H", value: 18.52 }] },
    windGust: { uom: "wmoUnit:km_h-1", values: [{ validTime: "2026-06-06T01:00:00+00:00/PT1H", value: 44 }] },
    probabilityOfPrecipitation: {
      uom: "wmoUnit:percent",
      values: [{ validTime: "2026-06-06T00:00:00+00:00/PT3H", value: 30 }]
    },
    quantitativePrecipitation: {
      uom: "wmoUnit:mm",
      values: [{ validTime: "2026-06-06T00:00:00+00:00/PT6H", value: 3 }]
    },
    weather: {
      values: [
        {
          validTime: "2026-06-06T00:00:00+00:00/PT1H",
          value: [{
            coverage: null,
            weather: null,
            intensity: null,
            visibility: { unitCode: "wmoUnit:km", value: null },
            attributes: []
          }]
        },
        {
          validTime: "2026-06-06T01:00:00+00:00/PT1H",
          value: [{ coverage: "slight_chance", weather: "thunderstorms", intensity: null, attributes: [] }]
        },
        {
          validTime: "2026-06-06T02:00:00+00:00/PT1H",
          value: [
            { coverage: "likely", weather: "rain_showers", intensity: "light", attributes: [] },
            { coverage: "chance", weather: "thunderstorms", intensity: null, attributes: ["gusty_wind"] }
          ]
        }
      ]
    },
    ...overrides
  }
})

export const feature = (overrides: object = {}) => ({
  type: "Feature",
  id: "0000f1a8",
  geometry: null,
  properties: {
    time_series_id: "137f32ef352b452f82b8cbbc38cad762",
    monitoring_location_id: "USGS-07091200",
    parameter_code: "00060",
    statistic_id: "00011",
    time: "2026-06-06T14:45:00+00:00",
    value: "1230",
    unit_of_measure: "ft^3/s",
    approval_status: "Provisional",
    qualifier: null,
    last_modified: "2026-06-06T15:01:12.310+00:00",
    ...overrides
  }
})

export const height = (overrides: object = {}) =>
  feature({ parameter_code: "00065", unit_of_measure: "ft", value: "-1.02", ...overrides })

export const usgs = (...features: ReadonlyArray<object>) => ({
  type: "FeatureCollection",
  features,
  numberReturned: features.length,
  links: [],
  timeStamp: "2026-06-06T15:02:00Z"
})
