package main

import "context"

func (p *packaging) check(context.Context) error { return nil }
