import type { staffCreateKey } from "@trailbook/core/actor/keyOperations"
import type { Operation } from "@trailbook/core/operation/Operation"
import type { DashboardContext, DashboardPage } from "../Page.ts"
import { Card } from "../parts/Card.tsx"
import { Scroll } from "../parts/Scroll.tsx"
import { Secret } from "../parts/Secret.tsx"

/** Shows a new key once, with usage instructions. */
export const keyPage = (
  { site }: DashboardContext,
  { api_key: key, name }: Operation.Output<typeof staffCreateKey>,
  root: string
): DashboardPage => ({
  title: `Key for ${name}`,
  part: "developers",
  body: (
    <div class="stack narrow">
      <Secret label="Your key" secret={key}>
        Copy this key now. You will not see it again, because only a hash is stored. Anyone with the key can use it, so
        store it with your application's secrets and never in a web page.
      </Secret>
      <Card id="use" title="How to use it" pad="stack">
        <p>Send the key with each request:</p>
        <Scroll label="A request">
          <pre><code dir="ltr">{`export TRAILBOOK_KEY=${key.slice(0, 8)}…\ncurl -H "Authorization: Bearer $TRAILBOOK_KEY" ${root}/v1/offerings`}</code></pre>
        </Scroll>
        <p class="acts">
          <a class="btn" href={site.link("/reference")}>API reference</a>
          <a class="btn main" href={site.link("/dashboard/developers")}>I have copied it</a>
        </p>
      </Card>
    </div>
  )
})
