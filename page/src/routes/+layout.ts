// Everything happens in the browser; the server sends one empty page for every address.
export const ssr = false;
export const prerender = false;
