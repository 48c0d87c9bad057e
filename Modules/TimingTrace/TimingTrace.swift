// TimingTrace
