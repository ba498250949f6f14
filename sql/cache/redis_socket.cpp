// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/cache/redis_socket.h"

#include "sql/types/tr.h"

#include <QFile>
#include <QLocalSocket>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslSocket>
#include <QTcpSocket>

#include <condition_variable>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <netdb.h>
#include <optional>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr int kSliceMs = 50; // how late a stop may be noticed
constexpr qint64 kHeldBytes = qint64(256) * 1024; // that came and nobody took yet; the rest stays with the server
constexpr qint64 kMostPemBytes = qint64(1024) * 1024;

Error unreachable(const CacheAddress &address, const QString &why)
{
    return makeError(ErrorKind::Unreachable, Tr::tr("The cache %1 cannot be reached.").arg(address.text()), why,
        Tr::tr("Look whether it runs, and whether its address is right."));
}

Error noTls(const CacheAddress &address, const QString &why)
{
    return makeError(ErrorKind::Tls,
        Tr::tr("The connection to the cache %1 could not be encrypted.").arg(address.text()), why,
        Tr::tr("Its certificate must be for this host. “sslrootcert” names who may sign it."));
}

Error stopAskedFor()
{
    return makeError(ErrorKind::Cancelled, Tr::tr("The request was cancelled."));
}

/// What the system's resolver finds. It cannot be stopped, and may take minutes: it works on a thread of its own, and
/// whoever waits no longer leaves it to itself.
class HostSearch
{
public:
    HostSearch() = default;
    ~HostSearch()
    {
        if (m_found != nullptr) {
            ::freeaddrinfo(m_found);
        }
    }
    Q_DISABLE_COPY_MOVE(HostSearch)

    void run(const QByteArray &host, const QByteArray &port)
    {
        addrinfo hints {};
        hints.ai_socktype = SOCK_STREAM;
        addrinfo *found = nullptr;
        const int status = ::getaddrinfo(host.constData(), port.constData(), &hints, &found);
        const std::scoped_lock lock(m_mutex);
        m_found = found;
        m_status = status;
        m_ended = true;
        m_done.notify_all();
    }
    bool wait(int milliseconds)
    {
        std::unique_lock lock(m_mutex);
        return m_done.wait_for(lock, std::chrono::milliseconds(milliseconds), [this] { return m_ended; });
    }
    // Once wait() said that it has ended.
    const addrinfo *found() const { return m_found; }
    int status() const { return m_status; }

private:
    std::mutex m_mutex;
    std::condition_variable m_done;
    addrinfo *m_found = nullptr;
    int m_status = 0;
    bool m_ended = false;
};

/// A socket of its own that closes itself until somebody takes it over.
class Descriptor
{
public:
    explicit Descriptor(int number)
        : m_number(number)
    {
    }
    ~Descriptor()
    {
        if (m_number >= 0) {
            ::close(m_number);
        }
    }
    Q_DISABLE_COPY_MOVE(Descriptor)
    int number() const { return m_number; }
    int release() { return std::exchange(m_number, -1); }

private:
    int m_number;
};

/// Whether a connection that is under way is there: nothing while it is not known.
std::optional<int> connectOutcome(int descriptor, int milliseconds)
{
    pollfd waited { descriptor, POLLOUT, 0 };
    if (::poll(&waited, 1, milliseconds) <= 0) {
        return std::nullopt;
    }
    int error = 0;
    socklen_t size = sizeof(error);
    ::getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size);
    return error;
}

Result<QByteArray> pemFile(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return makeError(ErrorKind::File, Tr::tr("The file %1 could not be read.").arg(path), file.errorString());
    }
    const QByteArray pem = file.read(kMostPemBytes);
    if (!pem.contains("-----BEGIN ")) {
        return makeError(ErrorKind::File, Tr::tr("The file %1 could not be read.").arg(path),
            Tr::tr("It holds neither a certificate nor a key in PEM form."));
    }
    return pem;
}

Result<QSslConfiguration> tlsConfiguration(const CacheAddress &address)
{
    QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
    configuration.setPeerVerifyMode(QSslSocket::VerifyPeer);
    configuration.setProtocol(QSsl::TlsV1_2OrLater);
    if (!address.authorities.isEmpty()) {
        TRY(const auto pem, pemFile(address.authorities));
        configuration.setCaCertificates(QSslCertificate::fromData(pem));
    }
    if (!address.certificate.isEmpty()) {
        TRY(const auto certificate, pemFile(address.certificate));
        TRY(const auto pem, pemFile(address.key));
        QSslKey key;
        for (const QSsl::KeyAlgorithm kind : { QSsl::Rsa, QSsl::Ec, QSsl::Dsa }) {
            key = key.isNull() ? QSslKey(pem, kind) : key;
        }
        configuration.setLocalCertificateChain(QSslCertificate::fromData(certificate));
        configuration.setPrivateKey(key);
    }
    return configuration;
}

} // namespace

Error cacheTooSlow()
{
    return makeError(ErrorKind::Timeout, Tr::tr("The cache did not answer in time."),
        Tr::tr("It is overloaded, stopped, or not a Redis at all."), Tr::tr("Try again when it answers."));
}

RedisSocket::RedisSocket(CacheAddress address, StopAsked stop)
    : m_address(std::move(address))
    , m_stop(std::move(stop))
{
}

RedisSocket::~RedisSocket() = default;

Result<std::unique_ptr<RedisSocket>> RedisSocket::open(
    const CacheAddress &address, const QDeadlineTimer &deadline, StopAsked stop)
{
    std::unique_ptr<RedisSocket> socket(new RedisSocket(address, std::move(stop)));
    TRY(address.host.isEmpty() ? socket->openLocal(deadline) : socket->openTcp(deadline));
    return socket;
}

bool RedisSocket::isUp() const
{
    if (const auto *tcp = qobject_cast<const QAbstractSocket *>(m_device.get())) {
        return tcp->state() == QAbstractSocket::ConnectedState;
    }
    const auto *local = qobject_cast<const QLocalSocket *>(m_device.get());
    return local != nullptr && local->state() == QLocalSocket::ConnectedState;
}

Result<void> RedisSocket::until(const std::function<bool(int)> &step, const QDeadlineTimer &deadline) const
{
    while (true) {
        if (m_stop && m_stop()) {
            return stopAskedFor();
        }
        const qint64 left = deadline.remainingTime();
        if (step(int(left < 0 ? kSliceMs : std::min<qint64>(left, kSliceMs)))) {
            return {};
        }
        if (m_device != nullptr && !isUp()) {
            return lost();
        }
        if (deadline.hasExpired()) {
            return cacheTooSlow();
        }
    }
}

Result<void> RedisSocket::openLocal(const QDeadlineTimer &deadline)
{
    const QByteArray path = QFile::encodeName(m_address.socket);
    sockaddr_un address {};
    address.sun_family = AF_UNIX;
    if (path.size() >= qsizetype(sizeof(address.sun_path))) {
        return unreachable(m_address, Tr::tr("The path of the socket is too long."));
    }
    std::memcpy(address.sun_path, path.constData(), static_cast<std::size_t>(path.size()));
    Descriptor descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const auto *generic = static_cast<const sockaddr *>(static_cast<const void *>(&address));
    int status = 0;
    TRY(until(
        [&](int milliseconds) {
            status = ::connect(descriptor.number(), generic, sizeof(address)) == 0 ? 0 : errno;
            if (status == EAGAIN) { // its queue is full: nothing tells when there is room again
                ::poll(nullptr, 0, milliseconds);
            }
            return status != EAGAIN;
        },
        deadline));
    if (status != 0) {
        return unreachable(m_address, QString::fromLocal8Bit(std::strerror(status)));
    }
    auto socket = std::make_unique<QLocalSocket>();
    socket->setReadBufferSize(kHeldBytes);
    socket->setSocketDescriptor(descriptor.release());
    m_device = std::move(socket);
    return {};
}

Result<void> RedisSocket::openTcp(const QDeadlineTimer &deadline)
{
    const auto search = std::make_shared<HostSearch>();
    std::thread([search, host = m_address.host.toUtf8(), port = QByteArray::number(m_address.port)] {
        search->run(host, port);
    }).detach();
    TRY(until([&search](int milliseconds) { return search->wait(milliseconds); }, deadline));
    if (search->status() != 0) {
        return unreachable(m_address, QString::fromLocal8Bit(::gai_strerror(search->status())));
    }
    QString why;
    for (const addrinfo *address = search->found(); address != nullptr; address = address->ai_next) {
        Descriptor descriptor(::socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        int status = ::connect(descriptor.number(), address->ai_addr, address->ai_addrlen) == 0 ? 0 : errno;
        // Where there are several, one that is silent shall not use up the time of the others.
        const QDeadlineTimer share(
            address->ai_next != nullptr ? deadline.remainingTime() / 2 : deadline.remainingTime());
        if (status == EINPROGRESS) {
            const auto waited = until(
                [&](int milliseconds) {
                    const auto outcome = connectOutcome(descriptor.number(), milliseconds);
                    status = outcome.value_or(EINPROGRESS);
                    return outcome.has_value();
                },
                share);
            if (!waited && waited.error().kind == ErrorKind::Cancelled) {
                return waited;
            }
        }
        if (status == 0) {
            return openTls(descriptor.release(), deadline);
        }
        why = status == EINPROGRESS ? Tr::tr("Nothing answered in time.")
                                    : QString::fromLocal8Bit(std::strerror(status));
    }
    return unreachable(m_address, why);
}

Result<void> RedisSocket::openTls(int descriptor, const QDeadlineTimer &deadline)
{
    if (!m_address.tls) {
        auto socket = std::make_unique<QTcpSocket>();
        socket->setSocketDescriptor(descriptor);
        socket->setReadBufferSize(kHeldBytes);
        m_device = std::move(socket);
        return {};
    }
    auto made = std::make_unique<QSslSocket>();
    QSslSocket *socket = made.get();
    socket->setSocketDescriptor(descriptor); // first of all: it closes it whatever comes
    m_device = std::move(made);
    if (!QSslSocket::supportsSsl()) {
        return noTls(m_address, Tr::tr("This installation of Qt has no TLS."));
    }
    TRY(const auto configuration, tlsConfiguration(m_address));
    socket->setSslConfiguration(configuration);
    socket->setPeerVerifyName(m_address.host);
    socket->startClientEncryption();
    const auto encrypted = until(
        [socket](int milliseconds) {
            return socket->waitForEncrypted(milliseconds) || socket->state() != QAbstractSocket::ConnectedState;
        },
        deadline);
    if (!encrypted && encrypted.error().kind == ErrorKind::Cancelled) {
        return encrypted;
    }
    if (!encrypted || !socket->isEncrypted()) {
        const QList<QSslError> faults = socket->sslHandshakeErrors();
        return noTls(m_address,
            !encrypted             ? Tr::tr("It did not answer in time.")
                : faults.isEmpty() ? socket->errorString()
                                   : faults.constFirst().errorString());
    }
    socket->setReadBufferSize(kHeldBytes);
    return {};
}

Result<void> RedisSocket::send(const QByteArray &bytes, const QDeadlineTimer &deadline)
{
    if (m_device->write(bytes) != bytes.size()) {
        return lost();
    }
    return until(
        [this](int milliseconds) {
            return m_device->bytesToWrite() == 0
                || (m_device->waitForBytesWritten(milliseconds) && m_device->bytesToWrite() == 0);
        },
        deadline);
}

Result<QByteArray> RedisSocket::receive(const QDeadlineTimer &deadline)
{
    TRY(until(
        [this](int milliseconds) {
            return m_device->bytesAvailable() > 0
                || (m_device->waitForReadyRead(milliseconds) && m_device->bytesAvailable() > 0);
        },
        deadline));
    return m_device->read(kHeldBytes);
}

Error RedisSocket::lost() const
{
    return makeError(ErrorKind::ConnectionLost, Tr::tr("The connection to the cache was lost."),
        Tr::tr("The server closed it, or ended."), Tr::tr("Try again."));
}

} // namespace idemdesk::sql
