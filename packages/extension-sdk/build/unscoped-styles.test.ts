import { expect, test } from 'vitest'
import { scopeOf, unscopedSelectors } from './unscoped-styles.ts'

test.each([
  ['.show__row_1{color:red}', []],
  ['.show__row_1:hover,.show__row_1 a::before{color:red}', []],
  ['.show__row_1{& body{color:red}.other{color:red}}', []],
  ['body{margin:0}', ['body']],
  ['*{margin:0}', ['*']],
  [':root{--color-text:red}', [':root']],
  ['.show__row_1,h1{color:red}', ['h1']],
  ['.other__row_1{color:red}', ['.other__row_1']],
  ['a{color:red}.show__row_1{}a{margin:0}', ['a']],
  ['@media print{@supports (display:grid){.show__row_1{}html{}}}', ['html']],
  ['@layer a,b;@layer a{p{}}', ['p']],
  ['@import "x.css";@charset "utf-8";p{}', ['p']],
  ['@keyframes show__turn_1{from{top:0}to{top:1px}}', []],
  ['@font-face{font-family:x;src:url("a;b{c}.woff2")}', []],
  ['.show__row_1::before{content:"} body{"}', []],
  ['/* .show__row_1 */ body{}', ['body']],
  [':is(.show__row_1,h1) b{}', []],
  ['[title="a,b"]{}', ['[title="a,b"]']],
])('the selectors of %s that reach beyond the extension are %j', (css, expected) => {
  expect(unscopedSelectors(css, scopeOf('show'))).toEqual(expected)
})
