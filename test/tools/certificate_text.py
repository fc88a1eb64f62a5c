# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The text of a certificate as nested lists; no code is shared with the tool's parser."""
import re

from certificate_values import Wrong, constant

TOKEN = re.compile(
    r'\s*([%@](?:"(?:[^"\\]|\\.)*"|[\w.]+)(?:#\d+)?|"(?:[^"\\]|\\.)*"|->|'
    r"[-+]?\d[\d.]*e[-+]\d+|[-+]?[\w.:]+|\S)"
)


def parts(tokens):
    """Texts between the commas that stand in no parentheses."""
    texts, depth = [""], 0
    for token in tokens:
        depth += (token == "(") - (token == ")")
        if token == "," and depth == 0:
            texts.append("")
        else:
            texts[-1] += token
    return [text for text in texts if text]


class Reader:
    """Text to nested lists; values and arrays keep their spelling, which is unique."""

    def __init__(self, text):
        # An operation that is speculative is computed like any other; of accesses it is kept.
        tokens = TOKEN.findall(text)
        self.tokens = [
            token
            for i, token in enumerate(tokens)
            if token != "speculative" or "access" in (tokens[i - 2], tokens[i - 4])
        ]
        self.next = 0

    def peek(self):
        return self.tokens[self.next] if self.next < len(self.tokens) else ""

    def take(self):
        self.next += 1
        return self.tokens[self.next - 1]

    def eat(self, token):
        found = self.peek() == token
        self.next += found
        return found

    def expect(self, token):
        if not self.eat(token):
            raise Wrong(f"expected '{token}' at '{' '.join(self.tokens[self.next:][:8])}'")

    def listed(self, close, item):
        items = []
        while not self.eat(close):
            items.append(item())
            self.eat(",")
        return items

    def definition(self):
        name = self.take()
        self.expect(":")
        return name, self.take()

    def carried(self, with_values):
        def item():
            name, kind = self.definition()
            if with_values:
                self.expect("=")
            return name, kind, self.take() if with_values else None

        self.expect("(")
        return self.listed(")", item)

    def until(self, *stops):
        """Tokens up to one of the stops at depth 0."""
        taken, depth = [], 0
        while depth or self.peek() not in stops:
            token = self.take()
            depth += (token in "([") - (token in ")]")
            taken.append(token)
        return taken

    def function(self):
        self.until("{")
        self.expect("{")
        arrays, scalars = {}, {}
        while not self.eat("body"):
            word = self.take()
            if word == "array":
                self.array(arrays)
            elif word in ("assume", "note"):
                self.take()
            else:
                raise Wrong(f"unknown declaration '{word}'")
        kinds = {name: kind for name, kind, _ in self.carried(False)}
        while self.eat("scalar"):
            value = self.take()
            scalars[self.take().strip('"')] = (value, kinds[value])
        return arrays, scalars, self.region()

    def array(self, arrays):
        name = self.take()
        self.expect(":")
        array = {"name": name[1:].split("#")[0].strip('"'), "kind": self.take()}
        self.expect("[")
        array["extents"] = parts(self.until("]"))
        self.expect("]")
        array["role"], array["sharing"] = self.take(), self.take()
        while self.peek() in ("const", "reads", "writes", "derived"):
            self.take()
        if self.eat("of"):
            self.take()
        array["contents"] = None
        if self.eat("="):
            self.expect("{")
            array["contents"] = [
                constant(token, array["kind"]) for token in self.listed("}", self.take)
            ]
        arrays[name] = array

    def region(self):
        self.expect("{")
        operations = []
        while not self.eat("}"):
            operations.append(self.operation())
        return operations

    def results(self):
        names = []
        if self.eat("->"):
            names.append(self.definition())
            while self.eat(","):
                names.append(self.definition())
        return names

    def operation(self):
        names = []
        while self.peek()[:1] == "%":
            names.append(self.take())
            if not self.eat(","):
                self.expect("=")
        mnemonic = self.take()
        read = getattr(self, "read_" + mnemonic, None)
        if read:
            return (mnemonic, names, *read())
        function = self.take() if mnemonic == "math" else None
        values = self.values()
        while self.peek() in ("text", "index"):
            self.take(), self.take()
        return mnemonic, names, function, values, self.kinds()

    def values(self):
        values = []
        if self.peek()[:1] == "%":
            values.append(self.take())
            while self.eat(","):
                values.append(self.take())
        return values

    def kinds(self):
        kinds = []
        if self.eat(":"):
            kinds.append(self.take())
            while self.eat(","):
                kinds.append(self.take())
        return kinds

    def read_yield(self):
        return (self.values(),)

    read_test = read_return = read_yield

    def read_const(self):
        text = self.take()
        self.expect(":")
        return (constant(text, self.take()),)

    def read_load(self):
        array = self.take()
        self.expect("[")
        subscripts, radices = [], []
        target = subscripts
        while not self.eat("]"):
            if self.eat(";"):
                target = radices
            elif not self.eat(","):
                target.append(self.take())
        value = self.take() if self.eat(",") else None
        if self.eat("mask"):
            raise Wrong("a masked access in a certificate")
        self.eat("guarded")
        site = int(self.take()) if self.eat("access") else None
        self.kinds()
        return array, subscripts, radices, value, site, self.when()

    read_store = read_load

    def read_if(self):
        condition = self.take()
        self.eat("address")
        then = self.region()
        self.expect("else")
        return condition, then, self.region(), self.results()

    def read_for(self):
        counter = self.definition()
        self.expect("=")
        low, predicate, high = self.take(), self.take(), self.take()
        self.expect("step")
        step = self.take()
        flag, post = self.eat("continue"), self.eat("posttest")
        ended = self.eat("data") and self.eat("ends")
        inits = self.carried(True)
        body = self.region()
        return counter, low, predicate, high, step, flag, post, ended, inits, body, self.results()

    def when(self):
        """An access is made "always", "at first" or "perhaps"."""
        if not self.eat("speculative"):
            return "always"
        return "at first" if self.eat("but") and self.eat("at") and self.eat("first") else "perhaps"

    def read_loop(self):
        if self.eat("bound"):
            self.until("(")
        inits, before = self.carried(True), self.region()
        self.expect("do")
        return inits, before, self.carried(False), self.region(), self.results()
