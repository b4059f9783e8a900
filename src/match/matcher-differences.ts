import { type Difference, differences } from '../json/compare.ts'
import type { JsonObject } from '../json/value.ts'
import type { Matcher } from './matcher.ts'
import { outlineOf, project } from './projection.ts'

/** Where arguments are not as the matcher wants them; empty exactly when it matches. */
export function matcherDifferences({ kind, args: wanted }: Matcher, args: JsonObject): readonly Difference[] {
  switch (kind) {
    case 'exact':
      return differences(wanted, args)
    case 'subset':
      return differences(wanted, project(args, outlineOf(wanted)))
    case 'any':
      return []
  }
}
