import { dirname, isAbsolute, relative, sep } from 'node:path'
import { packageScope } from './package-scope.ts'

/** Whether a file is the user's own: not Node's, not a package's, not stepfork's (installed, linked, or a checkout). */
export function isUserCode(file: string): boolean {
  return isAbsolute(file) && !/[\\/]node_modules[\\/]/.test(file) && !isStepfork(file)
}

/** By package name: the copy that runs inside the agent need not be the one that reports. */
export function isStepfork(file: string): boolean {
  const scope = isAbsolute(file) ? packageScope(dirname(file)) : null
  if (scope?.name !== 'stepfork') return false
  const [top] = relative(scope.folder, file).split(sep)
  return top === 'dist' || top === 'src' || top === 'bin'
}
