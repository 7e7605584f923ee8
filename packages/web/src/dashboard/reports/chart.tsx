/**
 * Renders charts as SVG on the server. The table below a chart has the same numbers, so the chart itself needs only a
 * label.
 */
import { ScrollContainer } from "../kit/elements.tsx"

export interface BarGroup {
  readonly key: string
  readonly label: string
  /** One nonnegative value per series. */
  readonly values: ReadonlyArray<number>
}

const [width, height, left, top, bottom] = [720, 250, 72, 18, 26]
const plotHeight = height - top - bottom

/** The number of colors. Additional series repeat the colors, but the legend also names each series. */
const colorCount = 5

/** The maximum number of labels below the bars. */
const maxLabels = 8

/** Returns the smallest step of 1, 2, or 5 times a power of ten that reaches the value in at most four steps. */
export const computeAxisStep = (max: number): number => {
  let power = 1
  for (;;) {
    for (const step of [1, 2, 5]) if (4 * step * power >= max) return step * power
    power *= 10
  }
}

export const StackedBars = ({ groups, label, names, text }: {
  readonly label: string
  readonly names: ReadonlyArray<string>
  readonly groups: ReadonlyArray<BarGroup>
  readonly text: (value: number) => string
}) => {
  const totals = groups.map(({ values }) => values.reduce((sum, value) => sum + value, 0))
  const step = computeAxisStep(Math.max(1, ...totals))
  const scale = plotHeight / (4 * step)
  const slotWidth = (width - left) / groups.length
  const barWidth = Math.min(64, slotWidth * .62)
  const labelInterval = Math.ceil(groups.length / maxLabels)
  const toY = (value: number) => top + plotHeight - value * scale
  return (
    <>
      <ul class="legend small">
        {names.map((name, nth) => (
          <li key={name}>
            <svg class="swatch" viewBox="0 0 1 1" aria-hidden="true">
              <rect class={`s${nth % colorCount}`} width={1} height={1} />
            </svg>
            <span dir="auto">{name}</span>
          </li>
        ))}
      </ul>
      <ScrollContainer label={label}>
        <svg class="chart" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          {[0, 1, 2, 3, 4].map((nth) => (
            <>
              <line class="grid-line" x1={left} x2={width} y1={toY(nth * step)} y2={toY(nth * step)} />
              <text x={left - 8} y={toY(nth * step) + 4} text-anchor="end">{text(nth * step)}</text>
            </>
          ))}
          {groups.map(({ key, label, values }, at) => {
            const centerX = left + slotWidth * (at + .5)
            let sum = 0
            return (
              <g key={key}>
                {values.map((value, nth) => {
                  sum += value
                  return value > 0 &&
                    (
                      <rect
                        class={`s${nth % colorCount}`}
                        x={centerX - barWidth / 2}
                        y={toY(sum)}
                        width={barWidth}
                        height={value * scale}
                      />
                    )
                })}
                {groups.length <= maxLabels && sum > 0 && (
                  <text class="total" x={centerX} y={toY(sum) - 5} text-anchor="middle">{text(sum)}</text>
                )}
                {at % labelInterval === 0 && <text x={centerX} y={height - 8} text-anchor="middle">{label}</text>}
              </g>
            )
          })}
        </svg>
      </ScrollContainer>
    </>
  )
}
