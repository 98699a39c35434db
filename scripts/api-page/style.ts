// The style sheet of GET /docs: from 360 pixels of width, light or dark as the system prefers.

export const STYLE = `:root{color-scheme:light dark;--line:#d1d5db;--soft:#f3f4f6;--text:#1f2937;--quiet:#6b7280;--link:#1d4ed8;--page:#fff;--passed:#15803d;--failed:#b91c1c}
@media (prefers-color-scheme:dark){:root{--line:#374151;--soft:#1f2937;--text:#e5e7eb;--quiet:#9ca3af;--link:#93c5fd;--page:#111827;--passed:#4ade80;--failed:#fca5a5}}
*{box-sizing:border-box}
body{font:16px/1.5 system-ui,sans-serif;max-width:64rem;margin:0 auto;padding:1.5rem 1rem 4rem;color:var(--text);background:var(--page)}
a{color:var(--link)}
h1{margin:0 0 .5rem;font-size:1.75rem;line-height:1.2}
h2{margin:3rem 0 1rem;padding-top:1rem;border-top:1px solid var(--line);font-size:1.4rem}
h3{margin:2rem 0 .5rem;font-size:1.1rem}
h2,h3{overflow-wrap:break-word}
nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem}
code{font-family:ui-monospace,monospace;font-size:.875em;overflow-wrap:break-word}
pre{margin:.5rem 0 1rem;padding:.75rem 1rem;overflow-x:auto;background:var(--soft);border-radius:.5rem;line-height:1.4}
pre code{overflow-wrap:normal}
summary{padding:.4rem 0;cursor:pointer;font-weight:600}
table{width:100%;margin:.5rem 0 1.5rem;border-collapse:collapse}
th,td{padding:.35rem .6rem;border:1px solid var(--line);text-align:left;vertical-align:top;overflow-wrap:break-word}
th{background:var(--soft)}
td:first-child,th:first-child{min-width:9rem}
h4{margin:1rem 0 .25rem;font-size:1rem}
article{margin-bottom:2.5rem}
[hidden]{display:none!important}
#keys{position:sticky;top:0;z-index:1;display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .75rem;margin:1rem -1rem 0;padding:.5rem 1rem;background:var(--page);border-bottom:1px solid var(--line)}
#keys input{flex:1 1 12rem}
#keys span{color:var(--quiet);font-size:.875rem}
section,article,h3{scroll-margin-top:7rem}
.try{margin:.5rem 0 1.5rem;padding:1rem;border:1px solid var(--line);border-radius:.5rem}
.field{display:grid;grid-template-columns:9rem minmax(0,1fr);gap:.25rem .75rem;align-items:center;margin:0 0 .5rem}
label{font-weight:600}
input,select,textarea,button{font:inherit;min-width:0;padding:.35rem .6rem;color:inherit;background:var(--page);border:1px solid var(--quiet);border-radius:.35rem}
input,textarea{font-family:ui-monospace,monospace;font-size:.875rem}
textarea{width:100%;resize:vertical;line-height:1.4}
button{padding:.4rem 1.25rem;color:var(--page);background:var(--link);border-color:var(--link);font-weight:600;cursor:pointer}
button:disabled{opacity:.6;cursor:default}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.answer img{display:block;max-width:100%;max-height:70vh;height:auto;border:1px solid var(--line)}
.answer pre{max-height:30rem;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere}
.answer p{margin:.5rem 0}
.passed,.failed{font-weight:600}
.passed{color:var(--passed)}
.failed{color:var(--failed)}
@media (max-width:40rem){
.field{grid-template-columns:minmax(0,1fr)}
thead{display:none}
table,tbody,tr,td{display:block}
tr{padding:.5rem 0;border-top:1px solid var(--line)}
td{padding:.1rem 0;border:0}
td:empty{display:none}
td:first-child{font-weight:600}
td+td::before{content:attr(data-column) ": ";color:var(--quiet)}
}`;
