// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a fuzz target over the files of a folder, and over each cut short and with bytes replaced, without libFuzzer.
#include <QDir>
#include <QFile>
#include <QRandomGenerator>
#include <cstdint>
#include <cstdio>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);

namespace {

void run(const QByteArray &input)
{
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t *>(input.constData()), std::size_t(input.size()));
}

} // namespace

int main(int argc, char **argv)
{
    constexpr int variants = 200;
    if (argc != 2) {
        std::fputs("usage: fuzz_NAME CORPUS_FOLDER\n", stderr);
        return 2;
    }
    const QDir folder(QString::fromLocal8Bit(argv[1]));
    const QStringList names = folder.entryList(QDir::Files, QDir::Name);
    for (const QString &name : names) {
        QFile file(folder.filePath(name));
        if (!file.open(QIODevice::ReadOnly)) {
            return 1;
        }
        const QByteArray input = file.readAll();
        run(input);
        QRandomGenerator random(quint32(input.size()));
        for (int i = 0; i < variants && !input.isEmpty(); ++i) {
            QByteArray variant = input.first(qsizetype(random.bounded(int(input.size()))));
            for (int change = 0; change < 4 && !variant.isEmpty(); ++change) {
                variant[random.bounded(int(variant.size()))] = input[random.bounded(int(input.size()))];
            }
            run(variant);
        }
    }
    std::printf("%lld files\n", static_cast<long long>(names.size()));
    return names.isEmpty() ? 1 : 0;
}
