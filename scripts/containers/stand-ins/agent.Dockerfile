# An image of one's own, which begins with that of the gateway: with Claude, as this repository has it.
FROM holdpoint
COPY . /usr/local/lib/node_modules/@anthropic-ai
