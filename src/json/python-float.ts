/**
 * A finite double as Python's `repr` prints it. The shortest digits are the same in both languages; the form is not:
 * Python writes `1.0`, goes to an exponent at 1e16 and below 1e-4, and gives exponents at least two digits.
 */
export function pythonFloat(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0'
  const size = Math.abs(value)
  if (size >= 1e16 || size < 1e-4) return withExponent(value)
  const text = String(value)
  return text.includes('.') ? text : `${text}.0`
}

function withExponent(value: number): string {
  const [digits, exponent] = value.toExponential().split('e') as [string, string]
  return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`
}
